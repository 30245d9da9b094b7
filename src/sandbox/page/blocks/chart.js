import { html } from "../html.js";

const width = 480;
const height = 200;
const left = 56;
const bottom = 34;
const top = 8;

/** A chart as a picture, with its figures as a table for who cannot see it. */
export function DataVisualization({ block }) {
  const { title, chart } = block;
  return html`<figure class="block chart">
    <figcaption>${title}</figcaption>
    ${chart.type === "pie" ? html`<${Segments} chart=${chart} />` : html`<${Plot} title=${title} chart=${chart} />`}
    ${chart.type !== "pie" && html`<${Figures} title=${title} chart=${chart} />`}
  </figure>`;
}

function Plot({ title, chart }) {
  const { series, axis_config: axis, type } = chart;
  const values = series.flatMap(({ data }) => data.map(({ value }) => value));
  const [low, high] = [Math.min(0, ...values), Math.max(...values, 0)];
  const span = high - low || 1;
  const y = (value) => top + (height - top - bottom) * (1 - (value - low) / span);
  const step = (width - left) / axis.categories.length;
  const x = (at) => left + step * (at + 0.5);
  const every = Math.ceil(axis.categories.length / 6);
  return html`<svg viewBox=${`0 0 ${width} ${height}`} role="img" aria-label=${title}>
      ${[low, low + span / 2, high].map(
        (value) => html`<g>
          <line class="grid" x1=${left} x2=${width} y1=${y(value)} y2=${y(value)} />
          <text class="tick" x=${left - 6} y=${y(value) + 4} text-anchor="end">${short(value)}</text>
        </g>`,
      )}
      ${axis.categories.map(
        (category, at) =>
          at % every === 0 &&
          html`<text class="tick" x=${x(at)} y=${height - bottom + 14} text-anchor="middle">${category}</text>`,
      )}
      ${series.map(({ data }, index) =>
        type === "bar"
          ? data.map(({ value }, at) => {
              const wide = (step * 0.7) / series.length;
              return html`<rect class=${`fill series-${index}`} x=${x(at) - step * 0.35 + wide * index} y=${y(Math.max(0, value))} width=${wide} height=${Math.abs(y(0) - y(value))} />`;
            })
          : html`<polyline class=${`stroke series-${index}`} points=${data.map(({ value }, at) => `${x(at)},${y(value)}`).join(" ")} />
              ${data.length === 1 && html`<circle class=${`fill series-${index}`} cx=${x(0)} cy=${y(data[0].value)} r="4" />`}`,
      )}
      ${axis.x_label && html`<text class="tick" x=${(left + width) / 2} y=${height - 4} text-anchor="middle">${axis.x_label}</text>`}
    </svg>
    <div class="legend">${series.map(({ name }, index) => html`<span><i class=${`swatch series-${index}`}></i>${name}${axis.y_label ? `, ${axis.y_label}` : ""}</span>`)}</div>`;
}

function Segments({ chart }) {
  const sum = chart.segments.reduce((all, { value }) => all + value, 0) || 1;
  return html`<div class="segments">${chart.segments.map(
    ({ label, value }, index) => html`<div class="segment"><span>${label}: ${short(value)}</span>
      <i class=${`swatch series-${index}`} style=${{ width: `${(100 * value) / sum}%` }}></i></div>`,
  )}</div>`;
}

function Figures({ title, chart: { series, axis_config: axis } }) {
  return html`<table class="unseen">
    <caption>${title}</caption>
    <thead><tr><th scope="col">${axis.x_label ?? ""}</th>${series.map(({ name }) => html`<th scope="col">${name}</th>`)}</tr></thead>
    <tbody>${axis.categories.map(
      (category, at) =>
        html`<tr><th scope="row">${category}</th>${series.map(({ data }) => html`<td>${data[at]?.value}</td>`)}</tr>`,
    )}</tbody>
  </table>`;
}

function short(value) {
  return value.toLocaleString("en", { notation: "compact", maximumFractionDigits: 2 });
}
