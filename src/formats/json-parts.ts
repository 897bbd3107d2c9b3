/**
 * A record as JSON for people, in parts: its lists may have no room in one string, so that they come item by
 * item.
 */
export function* jsonParts(record: object): Iterable<string> {
  let begin = "{\n";
  for (const [key, value] of Object.entries(record).filter(([, member]) => member !== undefined)) {
    yield `${begin}  ${JSON.stringify(key)}: `;
    if (Array.isArray(value) && value.length > 0) {
      let item = "[\n";
      for (const each of value as readonly unknown[]) {
        yield `${item}    ${indentLines(JSON.stringify(each, null, 2), "    ")}`;
        item = ",\n";
      }
      yield "\n  ]";
    } else yield indentLines(JSON.stringify(value, null, 2), "  ");
    begin = ",\n";
  }
  yield begin === "{\n" ? "{}\n" : "\n}\n";
}

/** No text in JSON has a line feed of its own. */
function indentLines(json: string, indent: string): string {
  return json.replaceAll("\n", `\n${indent}`);
}
