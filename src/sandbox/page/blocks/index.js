import { html } from "../html.js";
import { Actions } from "./actions.js";
import { Alert } from "./alert.js";
import { DataVisualization } from "./chart.js";
import { Context } from "./context.js";
import { DataTable } from "./data-table.js";
import { ImageBlock } from "./image.js";
import { Input } from "./input.js";
import { MarkdownBlock } from "./markdown.js";
import { Plan, TaskCard } from "./plan.js";
import { RichText } from "./rich-text.js";
import { Section } from "./section.js";
import { Divider, Header } from "./simple.js";
import { Table } from "./table.js";

const families = {
  actions: Actions,
  alert: Alert,
  context: Context,
  data_table: DataTable,
  data_visualization: DataVisualization,
  divider: Divider,
  header: Header,
  image: ImageBlock,
  input: Input,
  markdown: MarkdownBlock,
  plan: Plan,
  rich_text: RichText,
  section: Section,
  table: Table,
  task_card: TaskCard,
};

/** A message's or a view's blocks, one under the other. For a block that this page cannot draw it says so. */
export function BlockList({ blocks }) {
  return html`<div class="blocks">
    ${blocks.map((block, index) => {
      const Family = Object.hasOwn(families, block.type) ? families[block.type] : Unsupported;
      return html`<${Family} key=${block.block_id ?? index} block=${block} />`;
    })}
  </div>`;
}

function Unsupported({ block }) {
  return html`<div class="unsupported">unsupported block: ${block.type}</div>`;
}
