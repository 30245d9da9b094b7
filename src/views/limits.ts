/** Slack's limits, in characters and counts. No other file has them. */
export const limits = {
  message: { blocks: 50, text: 4_000, allText: 11_000 },
  /** A view takes 250 kB in all. */
  view: {
    blocks: 100,
    allText: 60_000,
    title: 24,
    submit: 24,
    close: 24,
    privateMetadata: 3_000,
    callbackId: 255,
    stack: 3,
  },
  section: { text: 3_000, fields: 10, field: 2_000 },
  header: 150,
  context: { elements: 10, text: 2_000 },
  actions: 25,
  button: { text: 75, value: 2_000, url: 3_000, accessibilityLabel: 75 },
  select: { options: 100, groups: 100, placeholder: 150 },
  option: { text: 75, value: 150, description: 75 },
  overflow: { options: 5 },
  checkboxes: 10,
  radios: 10,
  confirm: { title: 100, text: 300, confirm: 30, deny: 30 },
  input: { label: 2_000, hint: 2_000, plainText: 3_000 },
  table: { rows: 100, columns: 20 },
  /** Rows besides the header; characters over all cells of a message's tables. */
  dataTable: { rows: 100, columns: 20, characters: 10_000, caption: 150 },
  chart: { title: 50, series: 6, points: 20, label: 20, axisLabel: 50, inMessage: 2 },
  plan: { title: 150, tasks: 20 },
  id: 255,
  /** Seconds since 1970 in a date. */
  timestamp: 9_999_999_999,
} as const;
