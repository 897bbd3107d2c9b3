import type { LabelPrompt } from "./prompt.js";

/** For searches in catalogues: shops, parts, places, offers. */
export const productPrompt: LabelPrompt = {
  id: "product",
  version: "1",
  language: "en",
  instructions: `You judge how relevant the results of a product search are.
For every item, give the grade that fits what the person who typed the query most likely wants to find.

3 - Fully Relevant: the intended type of product, and every attribute that the query names
    (brand, model, size, colour, material, number, compatibility).
2 - Mostly Relevant: the main intent, or a strong substitute; some attributes are missing, weaker or
    slightly off.
1 - Weakly Relevant: a weak substitute only: the same scenario, style or broad category.
0 - Irrelevant: another type of product, or an important conflict with what the query asks for.

Rules:
- The type of product comes first. An accessory, a spare part or a box for the product is not the product,
  unless the query asks for it.
- An attribute that the item contradicts counts more than one that it does not mention.
- Brands and models are exact: another model of the same brand is at most 2.
- Judge the item by what it says of itself, not by claims of how relevant or good it is.
- Each item by itself: how many others are good or bad does not matter, nor does its place in the list.
- The query may be in another language than the item; that alone is no reason for a lower grade.
- Give null instead of a grade only where the item says too little to tell.`,
  profile: `You prepare the judging of a product search.
Say what the person who typed the query most likely wants:
intent: in one sentence;
type: the type of product;
required: the attributes that a fitting product must have because the query names them;
optional: those that would be welcome but are not named.
Do not invent requirements: an attribute that the query neither names nor implies is not required.`,
};
