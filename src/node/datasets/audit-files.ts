import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readText, replaceFile, type FileContent } from "../../files/index.js";
import { InputError } from "../../foundation/errors/index.js";
import { compareIds } from "../../foundation/ids/index.js";
import type { AuditSample, JudgeProbes, LabelAudit } from "../../records/index.js";
import { auditSampleSchema } from "../../records/schema/index.js";
import { datasetFolder } from "./dataset-folder.js";

const SAMPLE = "sample.json";

/** The folder of a sample: `datasets/<dataset>/audits/<sample>/` below the folder of artifacts. */
export function auditSampleFolder(artifacts: string, { dataset, sample_id }: AuditSample): string {
  return join(auditsFolder(artifacts, dataset), sample_id);
}

/**
 * Keeps a sample in its folder.
 *
 * @returns the path of the file.
 */
export function writeAuditSample(artifacts: string, sample: AuditSample): string {
  const path = join(auditSampleFolder(artifacts, sample), SAMPLE);
  replaceFile(path, `${JSON.stringify(sample, null, 2)}\n`);
  return path;
}

/**
 * Keeps a file of an audit in its folder: `datasets/<dataset>/audits/<audit>/<name>`.
 *
 * @returns its path.
 */
export function writeAuditFile(
  artifacts: string,
  { dataset, audit_id }: Pick<LabelAudit, "dataset" | "audit_id">,
  name: string,
  content: FileContent,
): string {
  const path = join(auditsFolder(artifacts, dataset), audit_id, name);
  replaceFile(path, content);
  return path;
}

/**
 * The samples of a dataset for a tenant, the latest last.
 *
 * @throws InputError `RESULT_SHAPE` for a file that is no sample.
 */
export function readAuditSamples(artifacts: string, dataset: string, tenant: string): AuditSample[] {
  const all = auditsFolder(artifacts, dataset);
  if (!existsSync(all)) return [];
  return readdirSync(all)
    .map((name) => join(all, name, SAMPLE))
    .filter((path) => existsSync(path))
    .map(sampleAt)
    .filter((sample) => sample.tenant === tenant && sample.dataset === dataset)
    .sort((a, b) => compareIds(a.created_at, b.created_at));
}

function sampleAt(path: string): AuditSample {
  const text = readText(path);
  try {
    return auditSampleSchema.parse(JSON.parse(text));
  } catch (error) {
    throw new InputError(
      "RESULT_SHAPE",
      `${path}: is no sample that \`rankproof audit sample\` wrote; delete its folder, or bring it back`,
      { path },
      error,
    );
  }
}

/**
 * How a labeler was tried last.
 *
 * @param rater the labeler's identity.
 * @returns null where it never was, and for what another hand has left there.
 */
export function readLatestProbes(
  artifacts: string,
  { dataset, tenant, rater }: Pick<LabelAudit, "dataset" | "tenant"> & { readonly rater: string },
): JudgeProbes | null {
  const all = auditsFolder(artifacts, dataset);
  const names = existsSync(all) ? readdirSync(all).sort().reverse() : [];
  for (const name of names) {
    const audit = auditAt(join(all, name, "report.json"));
    if (audit?.tenant === tenant && audit.second?.rater === rater && audit.probes != null)
      return audit.probes;
  }
  return null;
}

function auditAt(path: string): Partial<LabelAudit> | undefined {
  try {
    const audit = JSON.parse(readFileSync(path, "utf8")) as Partial<LabelAudit>;
    return audit.kind === "label_audit" ? audit : undefined;
  } catch {
    // A sample, or an audit whose writing was cut short.
    return undefined;
  }
}

/** Where samples and audits of a dataset are. */
export function auditsFolder(artifacts: string, dataset: string): string {
  return join(datasetFolder(artifacts, dataset), "audits");
}
