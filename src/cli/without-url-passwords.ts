/** What may be one, from what cannot be anything else to all but a port. */
const FORMS = ["[^\\s\"'`,?]*", "[^\\s\"'`,=&]*", "[^\\s/?#]*", '(?!\\d{1,5}(?:[/?,;\\s]|$))[^\\n"`]*'];
const PASSWORD = new RegExp(`(postgres(?:ql)?://[^\\s/?#]*?):(?:${FORMS.join("|")})@`, "gi");

/** A text whose addresses of databases have no password. One may have blanks in it, as it was typed. */
export function withoutUrlPasswords(text: string): string {
  if (!/postgres/i.test(text)) return text;
  return text.replace(PASSWORD, "$1:***@").replace(/([?&]\w*password=)[^\s&"'`]*/gi, "$1***");
}
