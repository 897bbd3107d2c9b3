import {
  areFewUnits,
  FEWEST_PAIRS,
  intentsInWords,
  doubtSentences,
  isSignificant,
  outcomeSentence,
  signOfGain,
  type AggregateMetrics,
  type ComparisonSettings,
  type LabelTrust,
  type MetricCard,
  type MetricDifference,
  type Slice,
  type Undecided,
  type UnjudgedDoubt,
  type Verdict,
  type AllowedLoss,
} from "../records/index.js";
import { countOf, formatCount, scoreDifference, formatPInProse } from "../foundation/numbers/index.js";
import { ownValue } from "../foundation/checks/index.js";
import { isWorstZero, worstEnd } from "./score-table.js";
import { describeMove, evidence, headlineOf, isContradicted, describeUnanswered } from "./verdict-words.js";
import { firstOf } from "../foundation/text/index.js";
import type { LostScores } from "./uneven-scores.js";

/** Of slices and metrics that lost; the tables have them all. */
const MOST_NAMED = 3;

/** What a verdict on one run is made of. */
export interface VerdictGrounds {
  readonly settings: ComparisonSettings;
  readonly metrics: readonly MetricDifference[];
  /** By metric: of many scores that the baseline has and the run has not. */
  readonly lost: ReadonlyMap<string, LostScores>;
  readonly cards: Readonly<Record<string, MetricCard>>;
  /** What makes the runs incomparable, in sentences. */
  readonly differs: readonly string[];
  readonly latency: {
    readonly a: AggregateMetrics["latency_ms"];
    readonly b: AggregateMetrics["latency_ms"];
  };
  /** How many queries each run has no result of. */
  readonly unanswered: { readonly a: number; readonly b: number };
  readonly slices: readonly Slice[];
  readonly unjudged: UnjudgedDoubt | null;
  /** Why nothing follows from the primary metric's numbers; undefined where something does. */
  readonly undecided?: Undecided | undefined;
  /** Whose labels these are; undefined where that is no question. */
  readonly trust?: LabelTrust | undefined;
}

type Guard = Verdict["guards"][number];

/**
 * What the comparison of one run with the baseline comes to. Everything is decided by the stored numbers, so
 * that a report can be checked by hand.
 */
export function verdictOf(grounds: VerdictGrounds): Verdict {
  const { trust } = grounds;
  const verdict = verdictByNumbers(grounds);
  if (verdict.kind === "not_comparable") return verdict;
  if (trust?.status === "not_audited") return notAudited(verdict, trust);
  return trust?.status === "audited"
    ? { ...verdict, reasons: [trust.sentence, ...verdict.reasons] }
    : verdict;
}

/** Labels of a model are an opinion: whatever they say, nothing follows before people have looked. */
function notAudited(verdict: Verdict, { sentence, next }: LabelTrust): Verdict {
  return {
    ...verdict,
    kind: "inconclusive",
    headline: `Labels not audited. By the labels as they are: ${verdict.headline}`,
    reasons: [sentence, ...(next === null ? [] : [next]), ...verdict.reasons],
    queries_needed: null,
  };
}

function verdictByNumbers(grounds: VerdictGrounds): Verdict {
  const { settings, metrics, cards, unjudged } = grounds;
  const primary = metrics.find(({ metric }) => metric === settings.primary);
  const isRising = (metric: string): boolean => ownValue(cards, metric)?.higher_is_better !== false;
  const guards = settings.guards.map(({ metric, allowed_loss }) =>
    guardOf(
      metrics.find((each) => each.metric === metric),
      metric,
      allowed_loss,
      isRising(metric),
      settings,
      primary,
      grounds.lost.get(metric),
    ),
  );
  const latency = latencyOf(grounds);
  const base = { primary: settings.primary, guards, latency, queries_needed: null, unjudged };
  const missing = [...grounds.differs, ...missingIn(primary, cards, settings)];
  if (primary === undefined || missing.length > 0)
    return { kind: "not_comparable", headline: missing.join(" "), reasons: [], ...base };
  const kindBy = (row: MetricDifference): Verdict["kind"] =>
    kindOf(row, isRising(primary.metric), cards[primary.metric], settings);
  const byNumbers = kindBy(primary);
  const isOfWordings = byNumbers === "inconclusive" && areWordingsWhy(primary, settings, kindBy);
  const undecided = grounds.undecided?.but === byNumbers ? undefined : grounds.undecided;
  const kind = undecided === undefined ? byNumbers : "inconclusive";
  const broken = [...guards, ...(latency === null ? [] : [latency])]
    .filter(({ is_held }) => !is_held)
    .map(({ why }) => why);
  const hidden =
    kind === "worse" || undecided !== undefined ? [] : hiddenLosses(grounds, isRising(primary.metric));
  const others = metrics.filter(
    (each) =>
      each !== primary &&
      each.undecided === undefined &&
      isSignificant(each, settings) &&
      !guards.some(({ metric }) => metric === each.metric),
  );
  const ofSign = (sign: 1 | -1): string[] =>
    others
      .filter((each) => signOfGain(each, isRising(each.metric)) === sign)
      .map(
        (each) => `${each.metric} ${describeMove(each, isRising(each.metric))}${overOthers(each, primary)}`,
      );
  const lost = grounds.lost.get(primary.metric);
  const card = cards[primary.metric];
  const isZeroWorst = card === undefined || isWorstZero(card);
  const headline =
    (undecided?.why ??
      (isOfWordings ? ofWordings(primary, isRising(primary.metric)) : null) ??
      headlineOf(kind, primary, isRising(primary.metric), settings, allowanceOf(card, settings))) +
    (lost === undefined ? "" : ` Of ${primary.metric} ${describeLost(lost)}.`);
  // What spoils a good difference comes first.
  const spoiled =
    kind !== "worse" && broken[0] !== undefined
      ? [broken[0], headline]
      : [
          headline,
          ...(hidden[0] === undefined || broken.length > 0 ? [] : [`Hidden by the mean: ${hidden[0]}`]),
        ];
  return {
    kind: broken.length > 0 ? "worse" : kind,
    headline: [...spoiled, ...describeUnanswered(grounds.unanswered, isZeroWorst)].join(" "),
    reasons: [
      outcomeSentence(primary),
      ...broken.slice(kind === "worse" ? 0 : 1),
      ...doubtSentences(unjudged, primary),
      ...hidden.slice(broken.length > 0 ? 0 : 1, MOST_NAMED),
      ...alsoMoved("Significantly worse", ofSign(-1)),
      ...alsoMoved("Significantly better", ofSign(1)),
    ],
    ...base,
    // More queries do not settle what the test and the mean disagree on, nor do more wordings.
    queries_needed:
      kind === "inconclusive" && !isOfWordings && !isContradicted(primary, settings)
        ? primary.queries_needed
        : null,
  };
}

/** Whether queries would decide, and what they are wordings of does not; or there is too little of it. */
function areWordingsWhy(
  { by_query, by_group, ...row }: MetricDifference,
  { alpha }: ComparisonSettings,
  kindBy: (row: MetricDifference) => Verdict["kind"],
): boolean {
  if (by_query === undefined || by_group === undefined) return false;
  if (areFewUnits({ ...row, by_group })) return true;
  const isUndecided = by_group.p === null || by_group.p >= alpha || by_group.is_opposed === true;
  const alone = { ...row, is_opposed: undefined, ...by_query, p_adjusted: by_query.p };
  return isUndecided && kindBy(alone) !== "inconclusive";
}

/** What is said where queries decide, and what they are wordings of does not. */
function ofWordings(primary: MetricDifference, isRising: boolean): string {
  const { metric, pairs, by_query, by_group } = primary;
  const describe = (found: NonNullable<MetricDifference["by_query"]>): string =>
    evidence({ interval: found.interval, p_adjusted: found.p, pairs: Infinity, improved: 0, worse: 0 });
  if (by_query === undefined || by_group === undefined) return "";
  const why = areFewUnits(primary)
    ? `; at least ${FEWEST_PAIRS} are needed.`
    : `, by which ${by_group.is_opposed === true ? "the test points the other way" : "it is not decided"}` +
      ` (${describe(by_group)}).`;
  return (
    `${metric} ${describeMove(primary, isRising)} (${describe(by_query)}), but the ${formatCount(pairs)} ` +
    `queries are wordings of ${intentsInWords(by_group)} (\`group\`)${why}`
  );
}

/** What the primary metric lacks for a verdict, in sentences. */
function missingIn(
  primary: MetricDifference | undefined,
  cards: VerdictGrounds["cards"],
  settings: ComparisonSettings,
): string[] {
  if (primary !== undefined) return [...tooFew(primary), ...nothingFound(primary, cards[primary.metric])];
  return [
    settings.primary === null
      ? "Nothing that was expected could be measured in both runs; for judgments of documents, ask " +
        "for a metric such as nDCG@10 and the unit doc."
      : "There is no metric in common.",
  ];
}

/** Other metrics that moved. */
function alsoMoved(title: string, moves: readonly string[]): string[] {
  return moves.length === 0 ? [] : [`${title}, too: ${firstOf(moves, MOST_NAMED)}.`];
}

/** Over how many queries a metric is compared, where these are not those of the primary metric. */
function overOthers({ pairs }: MetricDifference, primary: MetricDifference | undefined): string {
  return pairs === primary?.pairs ? "" : ` over ${countOf(pairs, "query")}`;
}

function tooFew({ metric, pairs }: MetricDifference): string[] {
  if (pairs >= FEWEST_PAIRS) return [];
  return [
    `${pairs === 0 ? "No query has" : pairs === 1 ? "Only 1 query has" : `Only ${pairs} queries have`} ` +
      `${metric} in both runs; at least ${FEWEST_PAIRS} are needed.`,
  ];
}

/**
 * Two runs that score the worst on every query may be equal because no ids agree, or because nothing is
 * relevant.
 */
function nothingFound(
  { metric, pairs, equal, mean_a, mean_b }: MetricDifference,
  card: MetricCard | undefined,
): string[] {
  const worst = card === undefined ? null : worstEnd(card);
  const isNothing =
    worst !== null && pairs >= FEWEST_PAIRS && equal === pairs && mean_a === worst && mean_b === worst;
  return isNothing
    ? [
        `Both runs have the worst ${metric} there is on every query, which says nothing; do the ` +
          "ids of runs and judgments agree?",
      ]
    : [];
}

/** Equivalence comes first: a difference too small to matter can be real. */
function kindOf(
  primary: MetricDifference,
  isRising: boolean,
  card: MetricCard | undefined,
  settings: ComparisonSettings,
): Verdict["kind"] {
  const { difference } = primary;
  const { allowed: margin } = allowanceOf(card, settings);
  // Queries that all differ by the same have no interval: the difference is all there is.
  const interval =
    primary.interval ??
    (difference === null || areFewUnits(primary) ? null : { low: difference, high: difference });
  const isWithin =
    interval !== null &&
    scoreDifference(interval.low, -margin) >= 0 &&
    scoreDifference(interval.high, margin) <= 0;
  // Without a range there is no share of it.
  if (isWithin && (margin > 0 || !isSignificant(primary, settings))) return "equivalent";
  // Tests of ranks and signs can find something where the mean stands still.
  const gain = isSignificant(primary, settings) ? signOfGain(primary, isRising) : 0;
  return gain === 0 ? "inconclusive" : gain > 0 ? "better" : "worse";
}

/** In units of the metric; without a range nothing but the same is equivalent. */
function allowanceOf(
  card: MetricCard | undefined,
  { margin }: ComparisonSettings,
): Omit<AllowedLoss, "loss"> {
  const [low, high] = card?.range ?? [null, null];
  return low === null || high === null
    ? { widest: Infinity, allowed: 0 }
    : { widest: high - low, allowed: margin * (high - low) };
}

/**
 * A guard is broken by a loss that is real and larger than allowed. One that was not measured holds nothing,
 * nor does one whose loss could not be tested, nor one of which the good scores were lost.
 */
function guardOf(
  found: MetricDifference | undefined,
  metric: string,
  allowed_loss: number,
  isRising: boolean,
  settings: ComparisonSettings,
  primary: MetricDifference | undefined,
  lost: LostScores | undefined,
): Guard {
  if (found?.difference == null)
    return {
      metric,
      allowed_loss,
      difference: null,
      p_adjusted: null,
      is_held: false,
      why: `The guard ${metric} was not measured in both runs.`,
    };
  // Of an allowed loss of 0 also one that is 0 at 4 decimals is more.
  const isMore =
    signOfGain(found, isRising) < 0 && (allowed_loss === 0 || Math.abs(found.difference) > allowed_loss);
  const isTested = found.p_adjusted !== null;
  const { by_query, by_group } = found;
  const areFew = by_group !== undefined && areFewUnits(found);
  // Of too few intents only what queries would call a loss is held against the run.
  const isBroken =
    isMore &&
    (areFew
      ? isSignificant({ p_adjusted: by_query?.p ?? null, is_opposed: by_query?.is_opposed }, settings)
      : isSignificant(found, settings) || !isTested);
  const hasLost =
    lost !== undefined &&
    lost.p < settings.alpha &&
    (isRising ? 1 : -1) * scoreDifference(lost.a, lost.b) > allowed_loss;
  const { undecided } = found;
  const way = isBroken ? "worse" : "better";
  if (undecided !== undefined && undecided.but !== way)
    return {
      metric,
      allowed_loss,
      difference: found.difference,
      p_adjusted: found.p_adjusted,
      is_held: false,
      why: `The guard ${metric} is not shown to hold: ${undecided.why}`,
    };
  const is_held = !isBroken && !hasLost;
  const move = `${describeMove(found, isRising)}${overOthers(found, primary)}`;
  const beyond = allowed_loss > 0 ? `, more than the ${allowed_loss} allowed` : "";
  const why = is_held
    ? `The guard ${metric} ${isMore ? "is not broken" : "holds"}: it ${move}` +
      ` (${evidence(found)})${isMore ? ", which can be chance" : ""}.`
    : hasLost && !isBroken
      ? `The guard ${metric} is not shown to hold: it ${move}, but ${describeLost(lost)}, and ` +
        `what is lost was better (${formatPInProse(lost.p)}).`
      : isTested
        ? `The guard ${metric} is broken: it ${move} (${evidence(found)})${beyond}.`
        : `The guard ${metric} is not shown to hold: it ${move}${beyond}, ` +
          (areFew
            ? `over wordings of ${intentsInWords(by_group)}; at least ${FEWEST_PAIRS} are needed.`
            : "which could not be tested.");
  return { metric, allowed_loss, difference: found.difference, p_adjusted: found.p_adjusted, is_held, why };
}

function describeLost({ a, b }: LostScores): string {
  return (
    "many queries have no score in this run; over those that each run has it went from " +
    `${a.toFixed(4)} to ${b.toFixed(4)}`
  );
}

function latencyOf({ settings, latency: { a, b } }: VerdictGrounds): Verdict["latency"] {
  const limit = settings.max_p95_ms;
  if (limit === null) return null;
  const times = { p95_a: a?.p95 ?? null, p95_b: b?.p95 ?? null, limit };
  if (b === null) return { ...times, is_held: false, why: "No time was measured, and a limit was set." };
  return b.p95 <= limit
    ? { ...times, is_held: true, why: `95 % of the queries took ${b.p95} ms at most, within ${limit} ms.` }
    : {
        ...times,
        is_held: false,
        why: `95 % of the queries took up to ${b.p95} ms, above the limit of ${limit} ms.`,
      };
}

/** Slices that lost for certain, which the mean over all queries does not show. */
function hiddenLosses({ slices, settings }: VerdictGrounds, isRising: boolean): string[] {
  return slices.flatMap(({ by, value, metrics }) => {
    const primary = metrics.find(({ metric }) => metric === settings.primary);
    const isLost =
      primary !== undefined && isSignificant(primary, settings) && signOfGain(primary, isRising) < 0;
    return isLost
      ? [
          `${by} = ${value} ${describeMove(primary, isRising)} in ${primary.metric} ` +
            `(${formatPInProse(primary.p_adjusted)}, ${formatCount(primary.pairs)} queries).`,
        ]
      : [];
  });
}
