/** Known to the help of all commands, and to the command where it is built alone. */
export const evaluateSummary = "score runs against judgments: what trec_eval, ir_measures and ranx do";
