import type { LabelSheetRow } from "../formats/index.js";
import { itemHash, type LabelItem } from "../label/index.js";

/** What a sheet shows of an item of the corpus. */
export function itemOnSheet(item: LabelItem | undefined): Pick<LabelSheetRow, "fields" | "item_hash"> {
  return { fields: item?.fields ?? {}, item_hash: item && itemHash(item) };
}
