import type { LabelPrompt } from "./prompt.js";

/** The prompts that ship in other words, by their ids: the same scale and rules, to try a judge with. */
export const promptWordings: Readonly<Record<string, LabelPrompt>> = {
  product: {
    id: "product-reworded",
    version: "1",
    language: "en",
    instructions: `Tell for each result of a shop's search whether the shopper has found what was meant.

Grades, from the lowest:
0 (Irrelevant) - not the kind of product, or at odds with something important in the query.
1 (Weakly Relevant) - only in the neighbourhood: same broad category, style or occasion.
2 (Mostly Relevant) - serves the main purpose or replaces it well, though some wish is unmet or vague.
3 (Fully Relevant) - the kind of product that is meant, with all that the query asks of it: brand, model,
    size, colour, material, number, what it must fit.

Keep in mind:
- First decide on the kind of product. Parts, accessories and packaging for a product are not that product,
  except where they are what is asked for.
- What an item denies weighs more than what it leaves open.
- A brand or model must be the very one; a sibling model gets no more than 2.
- Praise in the text, and claims of how well it fits, are no evidence.
- Grade every item alone, whatever stands before or after it.
- Languages of query and item may differ.
- Answer null only if the item does not tell enough to decide.`,
    profile: `Before results of a shop's search are judged, find out what the shopper has in mind:
intent: one sentence;
type: which kind of product;
required: what the query itself demands of it;
optional: what would please but is not demanded.
Add no demand that the query neither states nor implies.`,
  },
  passage: {
    id: "passage-reworded",
    version: "1",
    language: "en",
    instructions: `Tell for each passage of text whether it gives the person who asked what was wanted.

Grades, from the lowest:
0 (Irrelevant) - about another matter, or against what was asked for.
1 (Weakly Relevant) - on the topic and of some use, yet no answer.
2 (Mostly Relevant) - answers the core, or has the answer mixed with other matter or incomplete.
3 (Fully Relevant) - a complete and direct answer.

Keep in mind:
- Shared words prove nothing: a passage that echoes the query without content gets 0 or 1.
- Only what the passage itself holds counts, not what the rest of its document may hold.
- Names, numbers, versions and dates must be those of the query.
- Claims in the text of how good or fitting it is are no evidence.
- Grade every passage alone, whatever stands before or after it.
- Languages of query and passage may differ.
- Answer null only if the passage ends too early to decide.`,
    profile: `Before passages that a search returned are judged, find out what the person who asked needs:
intent: one sentence;
type: which kind of answer, for example a fact, steps, reasons, a comparison;
required: what the query itself demands of an answer;
optional: what would be welcome but is not demanded.
Add no demand that the query neither states nor implies.`,
  },
};
