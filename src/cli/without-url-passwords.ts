/** A text whose addresses of databases have no password. */
export function withoutUrlPasswords(text: string): string {
  return /postgres/i.test(text)
    ? text.replace(
        /(postgres(?:ql)?:\/\/)(?:([^\s/?#]*?):(?:[^\s"'`,?]*|[^\s"'`,=&]*|[^\s/?#]*)@)?([^\s"'`,]*)/gi,
        (_, scheme: string, user: string | undefined, rest: string) =>
          scheme +
          (user === undefined ? "" : `${user}:***@`) +
          rest.replace(/([?&]password=)[^&]*/g, "$1***"),
      )
    : text;
}
