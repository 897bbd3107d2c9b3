import { expect, it } from "vitest";
import type { ComponentChildren, VNode } from "preact";
import { Marked, wordsOf } from "../../../src/web/parts/marked.js";

/** A text with what is marked of it in brackets. */
function marked(text: string, query: string): string {
  const { props } = Marked({ text, words: wordsOf(query) }) as VNode<{ children: ComponentChildren }>;
  return [props.children]
    .flat()
    .map((part) =>
      typeof part === "string" ? part : `[${String((part as VNode<{ children: string }>).props.children)}]`,
    )
    .join("");
}

it("marks the words of the query, also within compounds and endings", () => {
  expect(marked("Laufschuhe, rote Schuhe", "Schuhe rote")).toBe("Lauf[schuhe], [rote] [Schuhe]");
  expect(marked("two lamps", "lamp")).toBe("two [lamp]s");
});

it("marks a short word where it stands alone", () => {
  expect(marked("red, reduced, 65 W and 165 W", "red 65")).toBe("[red], reduced, [65] W and 165 W");
});

it("marks no word that nearly every text has, unless the query has no other", () => {
  expect(marked("a leash for the dog", "leash for the dog")).toBe("a [leash] for the [dog]");
  expect(marked("to be or not", "to be")).toBe("[to] [be] or not");
});

it("marks words of scripts without spaces wherever they stand", () => {
  expect(marked("红色跑鞋", "跑鞋")).toBe("红色[跑鞋]");
});

it("a query without words marks nothing", () => {
  expect(marked("a.b*c", "?! .*")).toBe("a.b*c");
});
