import type { BenchReport } from "../../records/index.js";
import { benchSettings } from "../bench-settings.js";
import { html, bdi, nothing, type Markup } from "./markup.js";
import { facts, statisticsFacts, type Fact } from "./settings-section.js";

/** What the modes are, and everything that is needed to get the same numbers again. */
export function benchSettingsSection(report: BenchReport): Markup {
  const { comparison, fixture, modes } = report;
  const rows = modes.map(
    ({ mode, tier, embedding_model, description }) =>
      html`
        <tr>
          <th scope="row">${bdi(mode)}</th>
          <td data-name="Tier">${tier === "offline" ? "offline" : "live"}</td>
          <td data-name="Embedding model">${embedding_model === null ? "—" : bdi(embedding_model)}</td>
          <td class="text" data-name="What it is">${description}</td>
        </tr>
      `,
  );
  const about = fixture.description === "" ? nothing : html`<p class="lead">${fixture.description}</p>`;
  const benchmark = benchSettings(report).map(([name, value]): Fact => [
    `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`,
    bdi(value),
  ]);
  const statistics =
    comparison === null ? nothing : html`<div><h3>Statistics</h3>${facts(statisticsFacts(comparison))}</div>`;
  return html`
    <section id="settings" aria-labelledby="h-settings">
      <h2 id="h-settings">Modes and settings</h2>
      ${about}
      <div class="scroll" role="region" aria-label="What the modes are" tabindex="0">
        <table class="stacked">
          <thead>
            <tr>
              <th scope="col">Mode</th>
              <th scope="col">Tier</th>
              <th scope="col">Embedding model</th>
              <th scope="col">What it is</th>
            </tr>
          </thead>
          <tbody>${rows}</tbody>
        </table>
      </div>
      <div class="columns"><div><h3>Benchmark</h3>${facts(benchmark)}</div>${statistics}</div>
    </section>
  `;
}
