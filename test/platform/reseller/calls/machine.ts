import * as backups from "../../../../src/platform/reseller/backups.ts";
import {
  createCast,
  listCasts,
  openConsole,
  openConsoleSession,
  revokeCast,
} from "../../../../src/platform/reseller/console.ts";
import * as images from "../../../../src/platform/reseller/images.ts";
import {
  endRescue,
  reinstallService,
  resetServicePassword,
  startRescue,
} from "../../../../src/platform/reseller/reinstall.ts";
import type { ResellerCall } from "../call.ts";
import { castRow, snapshotRow, withMore } from "../rows.ts";

const novnc = {
  type: "novnc",
  sessionId: "se1",
  token: "tok-1",
  expiresAt: "2026-11-20T10:05:00Z",
  websocketUrl: "wss://supplier.example/ws?token=tok-1",
  rfbPassword: "rfb-1",
};
const kvm = { type: "kvm", available: false, agent_online: false, reason: "No agent" };
const session = {
  sessionId: "se1",
  token: "tok-2",
  wsPath: "/ws",
  viewerKind: "kvm",
  origin: "https://supplier.example",
};

export const machineCalls: ResellerCall[] = [
  [
    "GET /services/s1/console",
    (client) => openConsole(client, "s1"),
    { answer: withMore(novnc), gives: novnc },
    { passes: kvm },
    {
      answer: { type: "novnc", url: "https://panel.example/c?ticket=t-1", password: "pw-1", width: 80 },
      gives: {
        type: "provider",
        secrets: [
          { name: "url", value: "https://panel.example/c?ticket=t-1" },
          { name: "password", value: "pw-1" },
        ],
        rest: { type: "novnc", width: 80 },
      },
    },
  ],
  [
    "POST /services/s1/console-session",
    (client) => openConsoleSession(client, "s1"),
    { answer: withMore(session), gives: session },
  ],
  [
    "POST /services/s1/console-cast",
    (client) => createCast(client, "s1", { label: "for Ada", viewOnly: true, openTtlSeconds: 900 }),
    {
      body: { label: "for Ada", viewOnly: true, openTtlSeconds: 900 },
      answer: castRow({ url: "https://supplier.example/cast/abc", ticket: "abc" }),
      gives: { id: "c1", url: "https://supplier.example/cast/abc", openExpiresAt: castRow().openExpiresAt },
    },
  ],
  [
    "GET /services/s1/console-cast",
    (client) => listCasts(client, "s1"),
    {
      answer: { links: [castRow({ label: "for Ada", status: "open", viewerExpiresAt: "2026-11-20T11:00:00Z" })] },
      gives: [castRow({ label: "for Ada", status: "open", viewerExpiresAt: "2026-11-20T11:00:00Z" })],
    },
  ],
  ["DELETE /services/s1/console-cast/c1", (client) => revokeCast(client, "s1", "c1")],
  [
    "POST /services/s1/capture",
    (client) => images.captureService(client, "s1", "golden"),
    {
      body: { name: "golden" },
      status: 202,
      answer: { id: "im1", status: "capturing" },
      gives: { id: "im1" },
    },
  ],
  [
    "GET /images",
    (client) => images.listCapturedImages(client),
    {
      answer: [{ id: "im1", name: "golden", status: "available", virtual_size_bytes: 20, more: 1 }],
      gives: [{ id: "im1", name: "golden", status: "available", virtual_size_bytes: 20 }],
    },
  ],
  ["DELETE /images/im1", (client) => images.deleteCapturedImage(client, "im1")],
  [
    "POST /services/s1/reinstall",
    (client) => reinstallService(client, "s1", { osTemplate: "i1", password: "long enough" }),
    {
      body: { osTemplate: "i1", password: "long enough" },
      answer: { job_id: "j1" },
      beside: { message: "OS reinstall initiated" },
      gives: { password: null, method: null, secrets: [], rest: { job_id: "j1" } },
    },
  ],
  [
    "POST /services/s1/reinstall",
    (client) => reinstallService(client, "s1", { osTemplate: "i1" }),
    {
      body: { osTemplate: "i1" },
      answer: { password: "generated-1", method: "automated", job: { token: "tok-3" } },
      gives: {
        password: "generated-1",
        method: "automated",
        secrets: [{ name: "job.token", value: "tok-3" }],
        rest: { method: "automated" },
      },
    },
  ],
  [
    "POST /services/s1/password",
    (client) => resetServicePassword(client, "s1", { password: "long enough" }),
    {
      body: { password: "long enough" },
      answer: null,
      gives: { password: null, method: null, secrets: [], rest: null },
    },
  ],
  [
    "POST /services/s1/password",
    (client) => resetServicePassword(client, "s1"),
    {
      answer: { result: { password: "generated-2" }, method: "manual" },
      gives: { password: "generated-2", method: "manual", secrets: [], rest: { method: "manual" } },
    },
  ],
  [
    "GET /services/s1/backups",
    (client) => backups.listBackups(client, "s1"),
    {
      answer: { snapshots: [withMore(snapshotRow())], used: 1, max: 3 },
      gives: { of: "vps", snapshots: [snapshotRow()], used: 1, max: 3 },
    },
    { answer: { backups: [{ id: 9, size: "1 GB" }] }, gives: { of: "provider", backups: [{ id: "9", size: "1 GB" }] } },
    { answer: [], gives: { of: "provider", backups: [] } },
  ],
  [
    "POST /services/s1/backups",
    (client) => backups.createBackup(client, "s1", { name: "before", description: "why" }),
    { body: { name: "before", description: "why" }, status: 202 },
  ],
  ["POST /services/s1/backups", (client) => backups.createBackup(client, "s1")],
  [
    "POST /services/s1/backups/b1/restore",
    (client) => backups.restoreBackup(client, "s1", "b1", "before"),
    { body: { confirm: "before" }, answer: { snapshot: { status: "reverting" } }, gives: "running" },
  ],
  ["POST /services/s1/backups/9/restore", (client) => backups.restoreBackup(client, "s1", "9"), { gives: null }],
  ["DELETE /services/s1/backups/b1", (client) => backups.deleteBackup(client, "s1", "b1")],
  [
    "POST /services/s1/rescue",
    (client) => startRescue(client, "s1"),
    {
      answer: { rescue: { user: "root", rescuePassword: "rescue-1" } },
      gives: { secrets: [{ name: "rescue.rescuePassword", value: "rescue-1" }], rest: { rescue: { user: "root" } } },
    },
  ],
  [
    "POST /services/s1/unrescue",
    (client) => endRescue(client, "s1"),
    { answer: true, gives: { secrets: [], rest: true } },
  ],
];
