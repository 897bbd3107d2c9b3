import { seededRandom } from "../../src/foundation/numbers/index.js";
import type {
  ComparedQuery,
  Fate,
  MetricDifference,
  RunComparison,
  ScoreComparison,
  VerdictKind,
} from "../../src/records/index.js";
import { CONVENTIONS } from "./conventions.js";

/** What a made comparison is like. */
export interface MadeComparison {
  readonly queries?: number;
  /** Runs besides the baseline, each by how much it is better: 0 for chance alone. */
  readonly gains?: readonly number[];
  readonly names?: readonly string[];
  readonly seed?: number;
  readonly kind?: VerdictKind;
}

const METRICS = ["nDCG@10", "RR", "P@5", "R@10", "Rank@first"] as const;
const DEPTH = 10;
const CUTOFF = 10;
const LANGUAGES = ["en", "ko", "zh", "de"];
const TYPES = ["how-to", "fact", "error message", "name of a product"];
const WORDS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  en: [
    ["how do I", "where can I", "why can't I", "is it possible to"],
    ["reset", "export", "share", "restore", "rename", "archive"],
    ["a password", "an invoice", "my calendar", "the audit log", "a deleted project", "an API key"],
    [
      "on a phone",
      "for a whole team",
      "without an administrator",
      "after the trial",
      "from the command line",
    ],
  ],
  ko: [
    ["어떻게", "어디에서", "왜"],
    ["비밀번호를", "청구서를", "일정을", "프로젝트를"],
    ["휴대전화에서", "관리자 없이", "팀 전체에"],
    ["바꾸나요", "내보내나요", "복원하나요"],
  ],
  zh: [
    ["如何", "在哪里可以", "为什么不能"],
    ["重置", "导出", "共享", "恢复"],
    ["密码", "发票", "日历", "已删除的项目"],
    ["在手机上", "给整个团队", "没有管理员时"],
  ],
  de: [
    ["Wie kann ich", "Wo lässt sich", "Warum kann ich nicht"],
    ["ein Passwort", "eine Rechnung", "den Kalender", "ein gelöschtes Projekt"],
    ["am Telefon", "für das ganze Team", "ohne Verwalter"],
    ["zurücksetzen", "ausgeben", "teilen", "wiederherstellen"],
  ],
};

const to4 = (value: number): number => Math.round(value * 1e4) / 1e4;

/**
 * The metrics of one ranking: nDCG@10, RR, P@5, R@10 and the first relevant rank, of which less is better.
 */
function scored(grades: readonly (number | null)[], ideal: readonly number[]): number[] {
  const gain = (list: readonly (number | null)[]): number =>
    list.reduce<number>((sum, grade, rank) => sum + (grade ?? 0) / Math.log2(rank + 2), 0);
  const first = grades.findIndex((grade) => (grade ?? 0) >= 1);
  const found = grades.filter((grade) => (grade ?? 0) >= 1).length;
  return [
    ideal.length === 0 ? 0 : gain(grades) / gain(ideal.slice(0, CUTOFF)),
    first === -1 ? 0 : 1 / (first + 1),
    grades.slice(0, 5).filter((grade) => (grade ?? 0) >= 1).length / 5,
    ideal.length === 0 ? 0 : found / ideal.length,
    first === -1 ? DEPTH + 1 : first + 1,
  ].map(to4);
}

/** Paired differences with the arithmetic of a normal approximation: good enough to look at, not to cite. */
function differenceOf(
  metric: string,
  pairs: readonly (readonly [a: number, b: number])[],
  lowerIsBetter: boolean,
): MetricDifference {
  const count = pairs.length;
  const differences = pairs.map(([a, b]) => b - a);
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
  const difference = mean(differences);
  const deviation = Math.sqrt(
    differences.reduce((sum, value) => sum + (value - difference) ** 2, 0) / Math.max(1, count - 1),
  );
  const error = deviation / Math.sqrt(Math.max(1, count));
  const z = error === 0 ? 0 : Math.abs(difference) / error;
  // Abramowitz and Stegun 7.1.26, by way of 2(1 - Φ(z)).
  const t = 1 / (1 + (0.3275911 * z) / Math.SQRT2);
  const p = Math.min(
    1,
    Math.max(
      1e-5,
      t *
        (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429)))) *
        Math.exp((-z * z) / 2),
    ),
  );
  const way = lowerIsBetter ? -1 : 1;
  return {
    metric,
    pairs: count,
    mean_a: to4(mean(pairs.map(([a]) => a))),
    mean_b: to4(mean(pairs.map(([, b]) => b))),
    difference: to4(difference),
    interval: { low: to4(difference - 1.93 * error), high: to4(difference + 2.01 * error) },
    t_interval: { low: to4(difference - 1.97 * error), high: to4(difference + 1.97 * error) },
    p: Number(p.toPrecision(6)),
    p_adjusted: Number(Math.min(1, 2 * p).toPrecision(6)),
    is_exact: false,
    effect_size: deviation === 0 ? null : to4(difference / deviation),
    improved: differences.filter((value) => value * way > 1e-9).length,
    equal: differences.filter((value) => Math.abs(value) <= 1e-9).length,
    worse: differences.filter((value) => value * way < -1e-9).length,
    detectable: to4(2.8 * error),
    queries_needed: difference === 0 ? null : Math.ceil((2.8 * deviation * (1 / difference)) ** 2),
  };
}

const FOLDERS = ["account", "billing", "calendar", "projects", "api", "mobile"];

/**
 * A comparison like a real one: rankings with grades, scores that follow from them, slices, fates, and a
 * verdict that fits.
 */
// eslint-disable-next-line max-lines-per-function -- one generator is drawn from in one order
export function madeComparison({
  queries = 200,
  gains = [0.08],
  names,
  seed = 7,
  kind,
}: MadeComparison = {}): ScoreComparison {
  const random = seededRandom(seed);
  const below = (limit: number): number => Math.floor(random() * limit);
  const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T;
  const runs = [
    "bm25-words",
    ...gains.map(
      (_, index) =>
        names?.[index] ?? ["hybrid-rrf", "dense-e5", "dense-small", "reranked"][index] ?? `run-${index + 1}`,
    ),
  ];
  // eslint-disable-next-line max-lines-per-function -- one generator is drawn from in one order
  const per_query = Array.from({ length: queries }, (_, number): ComparedQuery => {
    const lang = pick(LANGUAGES);
    const type = pick(TYPES);
    const relevant = Array.from({ length: 1 + below(4) }, () => ({
      id: `kb/${pick(["account", "billing", "calendar", "projects", "api"])}/${1 + below(400)}#${below(9)}`,
      grade: 1 + below(3),
    }));
    const grades = new Map(relevant.map(({ id, grade }) => [id, grade]));
    const judged = new Map(grades);
    const difficulty = random();
    // Strength of an item is what it would be scored by; a run's gain lifts what is relevant.
    const noise = Array.from({ length: 24 }, () => ({
      id: `kb/${pick(FOLDERS)}/${1 + below(400)}#${below(9)}`,
      strength: random() * 0.8 + 0.1,
    }));
    for (const { id } of noise) if (!judged.has(id) && random() < 0.55) judged.set(id, 0);
    const bases = relevant.map(({ id }) => ({ id, strength: 1.1 - difficulty + 0.3 * (random() - 0.5) }));
    const rankings = runs.map((_, run) => {
      const lift = run === 0 ? 0 : (gains[run - 1] ?? 0);
      const moves = lang === "ko" && run > 0 ? lift - 0.12 : lift;
      const isMoved = run > 0 && random() < 0.7;
      const strengths = new Map(
        [...noise, ...bases].map(({ id, strength }) => [
          id,
          strength + (isMoved ? (random() - 0.5) * 0.22 + (grades.has(id) ? moves : 0) : 0),
        ]),
      );
      return [...strengths].sort(([, x], [, y]) => y - x).map(([id]) => id);
    });
    const ideal = [...grades.values()].sort((x, y) => y - x);
    const expected = [...grades]
      .sort(([, x], [, y]) => y - x)
      .map(([id, grade]) => ({
        id,
        grade,
        runs: rankings.map((ranking, run): Fate => {
          const place = ranking.indexOf(id) + 1;
          if (place > 0 && place <= CUTOFF)
            return {
              rank: place,
              channels:
                run === 0
                  ? {}
                  : { lexical: place + below(3), embedding: random() < 0.8 ? 1 + below(9) : null },
              fate: "found",
            };
          if (place <= 15)
            return {
              rank: place,
              channels: run === 0 ? {} : { lexical: 12 + below(20), embedding: 15 + below(20) },
              fate: "cut_off",
            };
          if (run > 0 && random() < 0.6)
            return {
              rank: place <= 20 ? place : null,
              channels: { lexical: 1 + below(8), embedding: null },
              fate: "lost_by_fusion",
            };
          return {
            rank: null,
            channels: run === 0 ? {} : { lexical: null, embedding: null },
            fate: random() < 0.85 ? "never_retrieved" : "not_in_index",
          };
        }),
      }));
    const words = WORDS[lang] ?? [];
    return {
      query_id: `q${String(number + 1).padStart(4, "0")}`,
      query: words.map(pick).join(lang === "zh" ? "" : " ") + (lang === "en" || lang === "ko" ? "" : "?"),
      labels: { lang, type },
      scores: rankings.map((ranking) =>
        scored(
          ranking.slice(0, DEPTH).map((id) => grades.get(id) ?? null),
          ideal,
        ),
      ),
      rankings: rankings.map((ranking) =>
        ranking.slice(0, DEPTH).map((id) => ({ id, grade: judged.get(id) ?? null })),
      ),
      overlap: rankings.map(
        (ranking) =>
          ranking.slice(0, DEPTH).filter((id) => rankings[0]?.slice(0, DEPTH).includes(id) === true).length /
          DEPTH,
      ),
      expected,
    };
  });
  const pairsOf = (
    within: readonly ComparedQuery[],
    run: number,
    metric: number,
  ): (readonly [number, number])[] =>
    within.map(({ scores }) => [scores[0]?.[metric] ?? 0, scores[run]?.[metric] ?? 0]);
  const lower = (metric: string): boolean => metric === "Rank@first";
  const comparisons = runs.slice(1).map((run, index): RunComparison => {
    const metrics = METRICS.map((metric, at) =>
      differenceOf(metric, pairsOf(per_query, index + 1, at), lower(metric)),
    );
    const [primary] = metrics as [MetricDifference, ...MetricDifference[]];
    const verdict =
      kind ??
      ((primary.p_adjusted ?? 1) >= 0.05
        ? "inconclusive"
        : (primary.difference ?? 0) > 0
          ? "better"
          : "worse");
    const slices = (["lang", "type"] as const).flatMap((by) =>
      [...new Set(per_query.map(({ labels }) => labels[by] ?? ""))]
        .map((value) => ({
          by,
          value,
          metrics: METRICS.map((metric, at) =>
            differenceOf(
              metric,
              pairsOf(
                per_query.filter(({ labels }) => labels[by] === value),
                index + 1,
                at,
              ),
              lower(metric),
            ),
          ),
        }))
        .sort((x, y) => (x.metrics[0]?.difference ?? 0) - (y.metrics[0]?.difference ?? 0)),
    );
    const judge_next = per_query
      .flatMap(({ query_id, rankings }) =>
        (rankings?.[index + 1] ?? []).flatMap(({ id, grade }, rank) =>
          grade === null && rank < 3
            ? [
                {
                  query_id,
                  item: id,
                  rank_a: (rankings?.[0]?.findIndex((hit) => hit.id === id) ?? -1) + 1 || null,
                  rank_b: rank + 1,
                  impact: to4(0.6 / (rank + 1) - 0.02 * query_id.length),
                },
              ]
            : [],
        ),
      )
      .sort((x, y) => y.impact - x.impact)
      .slice(0, 12);
    return { run, verdict: verdictOf(verdict, run, primary, metrics[1]), metrics, slices, judge_next };
  });
  return {
    schema_version: 1,
    kind: "score_comparison",
    runs: runs.map((run, at) => ({
      run,
      means: Object.fromEntries(
        METRICS.map((metric, index) => [
          metric,
          differenceOf(metric, pairsOf(per_query, at, index), false).mean_b,
        ]),
      ),
      queries,
      latency_ms: { mean: 41.2 + 9 * at, p50: 35.5 + 8 * at, p95: 88.1 + 24 * at, max: 240 + 31 * at },
    })),
    metrics: [...METRICS],
    metric_cards: Object.fromEntries(
      METRICS.map((metric) => [
        metric,
        { higher_is_better: !lower(metric), range: lower(metric) ? [1, null] : [0, 1] },
      ]),
    ),
    relevant_from: 1,
    conventions: CONVENTIONS,
    settings: {
      test: "randomization",
      seed: 42,
      permutations: 100_000,
      resamples: 10_000,
      confidence: 0.95,
      alpha: 0.05,
      correction: "holm",
      power: 0.8,
      tolerance: 0,
      margin: 0.01,
      primary: "nDCG@10",
      guards: [{ metric: "RR", allowed_loss: 0 }],
      max_p95_ms: 200,
      max_failed_share: 0.2,
    },
    comparisons,
    all_pairs:
      gains.length < 2
        ? null
        : runs.flatMap((run_a, x) =>
            runs.slice(x + 1).map((run_b, y) => {
              const { difference, p, p_adjusted } = differenceOf(
                "",
                per_query.map(({ scores }) => [scores[x]?.[0] ?? 0, scores[x + 1 + y]?.[0] ?? 0]),
                false,
              );
              return {
                run_a,
                run_b,
                difference,
                p,
                p_adjusted,
                p_tukey: Math.min(1, 3 * (p ?? 1)),
                p_randomized_tukey: Math.min(1, 2.8 * (p ?? 1)),
              };
            }),
          ),
    per_query,
    warnings: [
      {
        code: "UNJUDGED",
        message: `a quarter of the hits of ${runs[1] ?? ""} is unjudged`,
        count: 520,
        query_ids: ["q0001", "q0002", "q0003", "q0004", "q0005"],
      },
    ],
  };
}

function verdictOf(
  kind: VerdictKind,
  run: string,
  primary: MetricDifference,
  guard: MetricDifference | undefined,
): RunComparison["verdict"] {
  const headlines: Readonly<Record<VerdictKind, string>> = {
    better:
      `${run} is better than bm25-words: nDCG@10 rises by ${String(primary.difference)} over ` +
      `${primary.pairs} queries, which is more than chance explains.`,
    worse:
      `${run} is worse than bm25-words: nDCG@10 falls by ` +
      `${String(Math.abs(primary.difference ?? 0))} over ${primary.pairs} queries.`,
    equivalent:
      `${run} and bm25-words are equivalent: the difference of nDCG@10 lies ` + "within 0.01 either way.",
    inconclusive: `Whether ${run} is better than bm25-words cannot be said from ${primary.pairs} queries.`,
    not_comparable:
      `${run} and bm25-words cannot be compared: they were scored ` + "against different golden sets.",
  };
  const isComparable = kind !== "not_comparable";
  return {
    kind,
    headline: headlines[kind],
    reasons: isComparable
      ? [
          `${primary.improved} queries improved and ${primary.worse} got worse.`,
          "The smallest slice that fell is `lang` = `ko`; look at it before you ship.",
          "RR, the guard, did not fall.",
        ]
      : ["The golden sets differ in 14 queries.", "The runs were scored at different cutoffs: 10 and 20."],
    primary: "nDCG@10",
    guards: isComparable
      ? [
          {
            metric: "RR",
            allowed_loss: 0,
            difference: guard?.difference ?? null,
            p_adjusted: guard?.p_adjusted ?? null,
            is_held: kind !== "worse",
            why: kind === "worse" ? "it fell, and not by chance" : "no significant loss",
          },
        ]
      : [],
    latency: isComparable
      ? {
          p95_a: 88.1,
          p95_b: 112.1,
          limit: 200,
          is_held: true,
          why: "the 95th percentile is 112.1 ms, of 200 ms allowed",
        }
      : null,
    queries_needed: kind === "inconclusive" ? primary.queries_needed : null,
    unjudged: isComparable
      ? {
          could_overturn: kind === "better" ? "no" : "perhaps",
          bounds: { low: -0.0512, high: 0.1304 },
          unjudged_a: 412,
          unjudged_b: 520,
        }
      : null,
  };
}

/** Texts that mean harm to whoever puts them into a page unescaped. */
export const HOSTILE_TEXTS = [
  "</script><script>window.owned = 1</script>",
  '<img src=x onerror="window.owned = 1">',
  "<!-- <script> --!>",
  "\"'><svg onload=window.owned=1>",
  "__proto__",
  "constructor",
  "line\u2028separator\u2029paragraph",
  "nul\u0000and\u001b[31mescape",
  "lone \ud800 and \udc00 surrogates",
  "\u202Eright to left override\u202C\u2066isolate",
  "שלום مرحبا",
  "javascript:window.owned=1",
  "&lt;b&gt;&amp;",
  "${window.owned=1} {{owned}} `owned`",
  "x".repeat(100_000),
  "🙂".repeat(60_000),
];

/** A comparison with a hostile text in every place that data can reach. */
// eslint-disable-next-line max-lines-per-function -- a list of all places that data can reach
export function hostileComparison(texts: readonly string[] = HOSTILE_TEXTS): ScoreComparison {
  const made = madeComparison({ queries: texts.length, gains: [0.08, 0.01], seed: 3 });
  const text = (index: number): string => texts[index % texts.length] ?? "";
  // Names must differ where a result could not have the same one twice.
  const renamed = new Map(
    made.metrics.map((metric, index) => [
      metric,
      index === 0 ? "__proto__" : index === 4 ? "constructor" : text(index),
    ]),
  );
  const metricOf = (metric: string): string => renamed.get(metric) ?? metric;
  const runs = made.runs.map((run, index) => ({
    ...run,
    run: text(index),
    means: Object.fromEntries(Object.entries(run.means).map(([metric, mean]) => [metricOf(metric), mean])),
  }));
  const labels = (index: number): Record<string, string> =>
    Object.fromEntries([
      [text(index), text(index + 1)],
      ["__proto__", text(index)],
    ]);
  return {
    ...made,
    runs,
    metrics: made.metrics.map(metricOf),
    metric_cards: Object.fromEntries(
      Object.entries(made.metric_cards).map(([metric, card]) => [metricOf(metric), card]),
    ),
    settings: { ...made.settings, primary: "__proto__", guards: [{ metric: text(1), allowed_loss: 0 }] },
    comparisons: made.comparisons.map((comparison, at) => ({
      ...comparison,
      run: text(at + 1),
      verdict: {
        ...comparison.verdict,
        headline: text(at),
        reasons: [...texts],
        primary: "__proto__",
        guards: [
          { metric: text(1), allowed_loss: 0, difference: 0, p_adjusted: 1, is_held: at === 0, why: text(2) },
        ],
      },
      metrics: comparison.metrics.map((metric) => ({ ...metric, metric: metricOf(metric.metric) })),
      slices: texts.map((_, index) => ({
        by: text(index),
        value: text(index + 1),
        metrics: (comparison.slices[0]?.metrics ?? []).map((metric) => ({
          ...metric,
          metric: metricOf(metric.metric),
        })),
      })),
      judge_next: texts.map((item, index) => ({
        query_id: text(index),
        item,
        rank_a: null,
        rank_b: 1,
        impact: 0.1,
      })),
    })),
    all_pairs: (made.all_pairs ?? []).map((pair, index) => ({
      ...pair,
      run_a: text(index),
      run_b: text(index + 1),
    })),
    per_query: made.per_query.map((query, index) => ({
      ...query,
      query_id: text(index),
      query: text(index + 1),
      labels: labels(index),
      rankings: (query.rankings ?? []).map((ranking) =>
        ranking.map(({ grade }, rank) => ({ id: text(index + rank), grade })),
      ),
      expected: (query.expected ?? []).map((item, at) => ({
        ...item,
        id: text(index + at),
        runs: item.runs.map((fate) => ({
          ...fate,
          channels: Object.fromEntries([
            [text(index), 3],
            ["__proto__", null],
          ]),
        })),
      })),
    })),
    warnings: texts.map((message) => ({ code: message, message, query_ids: [message] })),
  };
}
