import type { WorkbenchSession } from "../../records/index.js";
import type { DataSource } from "../data-source.js";
import type { MarkSender } from "../mark-sender.js";
import type { Route } from "../route.js";

/** What every screen gets. */
export interface ScreenProps {
  readonly source: DataSource;
  readonly session: WorkbenchSession;
  readonly collection: string;
  readonly route: Route;
  readonly sender: MarkSender;
  /** Says something to readers of screens. */
  readonly say: (text: string) => void;
}

/** Whether anything can be started or stored from this page. */
export function isWritable({ source, session }: Pick<ScreenProps, "source" | "session">): boolean {
  return source.local === null && !session.is_read_only;
}
