import type { Socket } from "node:net";
import type * as Pg from "pg";
import { AdapterError } from "../../foundation/errors/index.js";
import { lockNumber } from "./lock-number.js";
import { openPool } from "./open-pool.js";

type Holder = Pg.PoolClient & Pick<Socket, "ref" | "unref">;

/** Whose claims they are, and how the connection that holds them is made. */
interface ClaimsOptions {
  /** As messages name it. */
  readonly store: string;
  readonly schema: string;
  readonly connection: Pg.PoolConfig;
  readonly onConnected: () => void;
}

/** The number of the lock that is a claim. */
export function claimLock(schema: string, name: string): string {
  return lockNumber("claim", schema, name);
}

/** What one process has claimed: locks of a connection of its own, which end with the process. */
export class Claims {
  readonly #store: string;
  readonly #schema: string;
  readonly #connection: Pg.PoolConfig;
  readonly #onConnected: () => void;
  readonly #names = new Set<string>();
  /** Whether what a lost connection had claimed is another process's now. */
  #isLost = false;
  #pool: Pg.Pool | undefined;
  #holder: Holder | undefined;
  /** Claims are taken and given back one after the other. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor({ store, schema, connection, onConnected }: ClaimsOptions) {
    this.#store = store;
    this.#schema = schema;
    this.#connection = connection;
    this.#onConnected = onConnected;
  }

  /**
   * Takes a claim; undefined where another has it.
   *
   * @param patiently tries again while the server is away.
   * @returns what gives it back.
   */
  take(
    name: string,
    patiently: (hold: () => Promise<boolean>) => Promise<boolean>,
  ): Promise<(() => Promise<void>) | undefined> {
    return this.#inTurn(async () => {
      if (this.#names.has(name)) return undefined;
      const isMine = !this.#isLost && (await patiently(() => this.#hold(name)));
      this.#refuseLost();
      if (!isMine) return undefined;
      this.#names.add(name);
      return () => this.#inTurn(() => this.#giveBack(name));
    });
  }

  /** Takes again what a lost connection held, before anything is written in its name. */
  async keep(): Promise<void> {
    if (this.#names.size === 0) return;
    // In turn: a connection that takes them again may not have them yet.
    await this.#inTurn(async () => this.#isLost || this.#hold());
    this.#refuseLost();
  }

  #refuseLost(): void {
    if (this.#isLost)
      throw new AdapterError(
        "STORE_LOCKED",
        `${this.#store}: the connection was lost, and another process has taken over what this one had ` +
          "claimed",
      );
  }

  async close(): Promise<void> {
    this.#names.clear();
    this.#letGo();
    await this.#pool?.end();
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(work);
    this.#turn = done.catch(() => undefined);
    return done;
  }

  /** Takes one more claim, and all that a lost connection had; whether no other process has one of them. */
  async #hold(...more: readonly string[]): Promise<boolean> {
    const names = this.#holder === undefined ? [...this.#names, ...more] : more;
    const client = (this.#holder ??= await this.#newHolder());
    // Waiting for an answer, and nothing else, keeps the program running.
    client.ref();
    try {
      for (const name of names) {
        const { rows } = await client.query<{ readonly mine: boolean }>(
          `SELECT pg_try_advisory_lock(${claimLock(this.#schema, name)}) AS mine`,
        );
        if (rows[0]?.mine === true) continue;
        // Those that were lost are lost for good.
        this.#isLost ||= this.#names.has(name);
        if (names !== more || this.#names.size === 0) this.#letGo();
        return false;
      }
      return true;
    } catch (error) {
      this.#letGo();
      throw error;
    } finally {
      client.unref();
    }
  }

  #letGo(): void {
    const client = this.#holder;
    this.#holder = undefined;
    client?.release(true);
  }

  async #newHolder(): Promise<Holder> {
    this.#pool ??= await openPool("a claim", this.#connection);
    const client = (await this.#pool.connect()) as Holder;
    this.#onConnected();
    client.once("end", () => {
      if (this.#holder !== client) return;
      this.#letGo();
      // Where that fails, whoever writes next is told.
      void this.keep().catch(() => undefined);
    });
    // What is held may be held for hours. PostgreSQL 13 has no such limit.
    try {
      await client.query(
        "SELECT set_config(name, '0', false) FROM pg_settings WHERE name = 'idle_session_timeout'",
      );
    } catch (error) {
      client.release(true);
      throw error;
    }
    return client;
  }

  async #giveBack(name: string): Promise<void> {
    if (!this.#names.delete(name)) return;
    if (this.#names.size === 0) this.#isLost = false;
    const unlock = `SELECT pg_advisory_unlock(${claimLock(this.#schema, name)})`;
    const client = this.#holder;
    if (client === undefined) return;
    // What a connection held is given back when it ends.
    if (this.#names.size === 0) return this.#letGo();
    client.ref();
    try {
      await client.query(unlock);
    } catch {
      this.#letGo();
    } finally {
      client.unref();
    }
  }
}
