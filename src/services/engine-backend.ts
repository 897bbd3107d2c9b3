import type { Backend, EngineBackendConfig, HttpBackendConfig } from "../records/index.js";
import { InputError } from "../foundation/errors/index.js";
import { namesIn } from "./fill-template.js";
import { httpBackend, listNames, type HttpSearch, type ServiceSettings } from "./http-backend.js";
import { searchPresets } from "./presets/index.js";
import type { SearchServiceOptions } from "./search-service.js";

/**
 * A search engine that is asked in a way that is known, or a service that the settings describe. What they
 * say goes before what the engine's kind says: a `body` of one's own is sent as it is.
 *
 * @param options how the service is spoken to, where the settings do not say.
 * @throws InputError `ARGUMENT`, `CONFIG`
 */
export function engineBackend(
  settings: EngineBackendConfig | HttpBackendConfig,
  options: SearchServiceOptions = {},
): Backend {
  const { url } = settings;
  const { kind, index, search, service } = partSettings(settings);
  const usual: HttpSearch = kind === "http" ? {} : searchPresets[kind];
  const hit = { ...usual.hit, ...search.hit };
  const variables = { ...usual.variables, ...(index !== undefined && { index }), ...search.variables };
  const countedAt = usual.total === false ? undefined : usual.total;
  const asked = { ...usual, ...search, hit, variables, countedAt };
  const lacking = search.list === undefined ? lackingIn(usual.list, Object.keys(variables)) : undefined;
  if (lacking === undefined) return httpBackend({ ...options, ...service, url, search: asked });
  const { list: _, ...unlisted } = asked;
  return {
    ...httpBackend({ ...options, ...service, url, search: unlisted }),
    // Who has the items in a file lists none.
    list() {
      throw new InputError(
        "CONFIG",
        `${url}: to list its items, kind ${kind} needs \`variables: { ${lacking}: … }\`; or name a ` +
          "file of them as `corpus`",
      );
    },
  };
}

/** A variable that an engine's kind lists items by, and that is not given; undefined where nothing lacks. */
function lackingIn(list: HttpSearch["list"], given: readonly string[]): string | undefined {
  return namesIn([list?.path, list?.params, list?.body]).find(
    (name) => !listNames.includes(name) && !given.includes(name),
  );
}

/** How the service is spoken to, and what it is asked; what is not said is not there. */
function partSettings(settings: EngineBackendConfig | HttpBackendConfig): {
  readonly kind: EngineBackendConfig["kind"] | "http";
  readonly index: string | undefined;
  readonly search: HttpSearch;
  readonly service: ServiceSettings;
} {
  const {
    kind,
    url: _,
    headers,
    timeoutMs,
    retries,
    concurrency,
    requestsPerMinute,
    maxAnswerBytes,
    ...rest
  } = settings;
  const { index, ...search } = { index: undefined, ...rest };
  const service = { headers, timeoutMs, retries, concurrency, requestsPerMinute, maxAnswerBytes };
  const said = Object.entries(service).filter(([, value]) => value !== undefined);
  return { kind, index, search, service: Object.fromEntries(said) };
}
