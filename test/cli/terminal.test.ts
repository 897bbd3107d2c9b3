import { afterEach, describe, expect, it, vi } from "vitest";
import { terminalOn, type Host, type Terminal } from "../../src/cli/terminal.js";

const { isTTY } = process.stdout;
afterEach(() => {
  process.stdout.isTTY = isTTY;
  vi.restoreAllMocks();
});

/** One of streams that go on where those of the process do, without its listeners. */
function terminal(): Terminal {
  const streamLike = (stream: Host["stdout"]): Host["stdout"] => ({
    fd: stream.fd,
    isTTY: stream.isTTY === true,
    write: (text) => stream.write(text),
    on: () => undefined,
  });
  const { env } = process;
  const [stdout, stderr] = [process.stdout, process.stderr].map(streamLike) as [
    Host["stdout"],
    Host["stderr"],
  ];
  return terminalOn({ stdout, stderr, env, cwd: "/", signal: new AbortController().signal });
}

/** What reaches stdout of some data. */
function written(data: string, isTerminal: boolean): string {
  process.stdout.isTTY = isTerminal;
  const write = vi.spyOn(process.stdout, "write").mockReturnValue(true);
  terminal().out(data);
  return write.mock.calls.map(([text]) => String(text)).join("");
}

describe("data on stdout", () => {
  const data = "a\tb\r\n\u001b[31mred\u001b[0m \u001b]52;c;Y2xpcA==\u0007\u001b[2J\rover\u202e\u0085\n";
  it("in a file or a pipe is what it is, byte for byte", () => {
    expect(written(data, false)).toBe(data);
  });
  it("on a terminal can colour, but neither move the cursor nor write to the clipboard", () => {
    expect(written(data, true)).toBe(
      "a\tb\r\n\u001b[31mred\u001b[0m \ufffd]52;c;Y2xpcA==\ufffd\ufffd[2J\ufffdover\ufffd\ufffd\n",
    );
  });
  it("on a terminal cannot be hidden or blink", () => {
    expect(written("\u001b[8mhidden\u001b[5mblink\u001b[30;40mblack\u001b[1mbold\u001b[22m", true)).toBe(
      "\ufffd[8mhidden\ufffd[5mblink\ufffd[30;40mblack\u001b[1mbold\u001b[22m",
    );
  });
});

describe("colours", () => {
  it("are of the stream that is a terminal, and of both where they are forced", () => {
    const shown = (
      [out, talk]: readonly [boolean, boolean],
      env: Readonly<Record<string, string>> = {},
    ): string[] => {
      const texts = ["", ""];
      const streamAt = (at: number, isTTY: boolean): Host["stdout"] => ({
        fd: -1,
        isTTY,
        write: (text) => void (texts[at] += text),
        on: () => undefined,
      });
      const streams = { stdout: streamAt(0, out), stderr: streamAt(1, talk) };
      const {
        paint,
        out: print,
        warn,
        talk: say,
      } = terminalOn({
        ...streams,
        env,
        cwd: "/",
        signal: new AbortController().signal,
      });
      print(paint("a", "strong"));
      warn("b");
      say(paint("c", "strong"));
      return texts;
    };
    const bold = (text: string): string => `\u001b[1m${text}\u001b[22m`;
    expect(shown([true, false])).toEqual([bold("a"), "warning: b\nc\n"]);
    expect(shown([false, true])).toEqual(["a", `${bold("warning:")} b\nc\n`]);
    const forced = [bold("a"), `${bold("warning:")} b\n${bold("c")}\n`];
    expect(shown([false, false], { FORCE_COLOR: "1" })).toEqual(forced);
    expect(shown([true, true], { NO_COLOR: "1" })).toEqual(["a", "warning: b\nc\n"]);
  });
});

describe("in a log of GitHub's", () => {
  afterEach(() => vi.unstubAllEnvs());
  const talked = (line: string): string => {
    const write = vi.spyOn(process.stderr, "write").mockReturnValue(true);
    terminal().talk(line);
    return write.mock.calls.map(([text]) => String(text)).join("");
  };
  const ids = "::stop-commands::x\t1\n  ::set-env name=A::b\na::b\r::error::c ##[debug]d\n:::\n";
  const plain =
    ":\u200b:stop-commands::x\t1\n  :\u200b:set-env name=A::b\n" +
    "a::b\r:\u200b:error::c ##\u200b[debug]d\n:\u200b::\n";

  it("no id at the beginning of a line is a command, on stdout or in talk", () => {
    vi.stubEnv("GITHUB_ACTIONS", "true");
    expect(written(ids, false)).toBe(plain);
    expect(talked("::error::x")).toBe(":\u200b:error::x\n");
  });
  it("elsewhere they are what they are", () => {
    vi.stubEnv("GITHUB_ACTIONS", "");
    expect(written(ids, false)).toBe(ids);
    expect(talked("::error::x")).toBe("::error::x\n");
  });
  it("our own commands are commands", () => {
    vi.stubEnv("GITHUB_ACTIONS", "true");
    const write = vi.spyOn(process.stderr, "write").mockReturnValue(true);
    terminal().command("::notice title=rankproof::fine");
    expect(write.mock.calls).toEqual([["::notice title=rankproof::fine\n"]]);
  });
});
