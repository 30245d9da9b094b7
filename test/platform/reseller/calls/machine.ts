import * as backups from "../../../../src/platform/reseller/backups.ts";
import * as casts from "../../../../src/platform/reseller/casts.ts";
import { openConsole, openConsoleSession } from "../../../../src/platform/reseller/console.ts";
import * as images from "../../../../src/platform/reseller/images.ts";
import { reinstallService, resetServicePassword } from "../../../../src/platform/reseller/reinstall.ts";
import { endRescue, startRescue } from "../../../../src/platform/reseller/rescue.ts";
import type { Call } from "../call.ts";
import { castRow, snapshotRow, withMore } from "../rows.ts";

const novnc = {
  type: "novnc",
  sessionId: "se1",
  token: "tok-1",
  wsPath: "/ws",
  expiresAt: "2026-11-20T10:05:00Z",
  mode: "vnc",
  viewerKind: "novnc",
  websocketUrl: "wss://supplier.example/ws?token=tok-1",
  rfbPassword: "rfb-1",
};
const kvm = { type: "kvm", available: false, launch_endpoint: null, agent_online: false, reason: "No agent" };
const session = {
  sessionId: "se1",
  token: "tok-2",
  wsPath: "/ws",
  viewerKind: "kvm",
  origin: "https://supplier.example",
};

export const machineCalls: Call[] = [
  {
    name: "the console of a VPS",
    call: (client) => openConsole(client, "s1"),
    sends: "GET /services/s1/console",
    answer: withMore(novnc),
    gives: novnc,
  },
  {
    name: "the console of a dedicated server",
    call: (client) => openConsole(client, "s1"),
    sends: "GET /services/s1/console",
    answer: kvm,
    gives: kvm,
  },
  {
    name: "the console of a provider, in its own shape",
    call: (client) => openConsole(client, "s1"),
    sends: "GET /services/s1/console",
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
  {
    name: "a session of a console",
    call: (client) => openConsoleSession(client, "s1"),
    sends: "POST /services/s1/console-session",
    answer: withMore(session),
    gives: session,
  },
  {
    name: "a link to a console",
    call: (client) => casts.createCast(client, "s1", { label: "for Ada", viewOnly: true, openTtlSeconds: 900 }),
    sends: "POST /services/s1/console-cast",
    body: { label: "for Ada", viewOnly: true, openTtlSeconds: 900 },
    answer: castRow({ url: "https://supplier.example/cast/abc", ticket: "abc" }),
    gives: castRow({ url: "https://supplier.example/cast/abc", ticket: "abc" }),
  },
  {
    name: "the links that live",
    call: (client) => casts.listCasts(client, "s1"),
    sends: "GET /services/s1/console-cast",
    answer: { links: [castRow({ status: "open", viewerExpiresAt: "2026-11-20T11:00:00Z" })] },
    gives: [castRow({ status: "open", viewerExpiresAt: "2026-11-20T11:00:00Z" })],
  },
  {
    name: "revoking a link",
    call: (client) => casts.revokeCast(client, "s1", "c1"),
    sends: "DELETE /services/s1/console-cast/c1",
  },
  {
    name: "capturing a disk",
    call: (client) => images.captureService(client, "s1", "golden"),
    sends: "POST /services/s1/capture",
    body: { name: "golden" },
    status: 202,
    answer: { id: "im1", status: "capturing" },
    gives: { status: 202, value: { id: "im1", status: "capturing" } },
  },
  {
    name: "captured images",
    call: (client) => images.listCapturedImages(client),
    sends: "GET /images",
    answer: [{ id: "im1", status: "available", size_bytes: 10, virtual_size_bytes: 20, more: 1 }],
    gives: [{ id: "im1", status: "available", size_bytes: 10, virtual_size_bytes: 20 }],
  },
  {
    name: "deleting a captured image",
    call: (client) => images.deleteCapturedImage(client, "im1"),
    sends: "DELETE /images/im1",
  },
  {
    name: "reinstalling a VPS",
    call: (client) => reinstallService(client, "s1", { osTemplate: "i1", password: "long enough" }),
    sends: "POST /services/s1/reinstall",
    body: { osTemplate: "i1", password: "long enough" },
    answer: { job_id: "j1" },
    beside: { message: "OS reinstall initiated" },
    gives: { password: null, method: null, secrets: [], rest: { job_id: "j1" } },
  },
  {
    name: "reinstalling a dedicated server, which tells its new password once",
    call: (client) => reinstallService(client, "s1", { osTemplate: "i1" }),
    sends: "POST /services/s1/reinstall",
    body: { osTemplate: "i1" },
    answer: { password: "generated-1", method: "automated", job: { token: "tok-3" } },
    gives: {
      password: "generated-1",
      method: "automated",
      secrets: [{ name: "job.token", value: "tok-3" }],
      rest: { method: "automated", job: {} },
    },
  },
  {
    name: "a password of a VPS",
    call: (client) => resetServicePassword(client, "s1", { password: "long enough" }),
    sends: "POST /services/s1/password",
    body: { password: "long enough" },
    answer: null,
    gives: { password: null, method: null, secrets: [], rest: null },
  },
  {
    name: "a password of a dedicated server, told inside a result",
    call: (client) => resetServicePassword(client, "s1"),
    sends: "POST /services/s1/password",
    answer: { result: { password: "generated-2" }, method: "manual" },
    gives: { password: "generated-2", method: "manual", secrets: [], rest: { result: {}, method: "manual" } },
  },
  {
    name: "the snapshots of a VPS",
    call: (client) => backups.listBackups(client, "s1"),
    sends: "GET /services/s1/backups",
    answer: { snapshots: [withMore(snapshotRow())], used: 1, max: 3 },
    gives: { of: "vps", snapshots: [snapshotRow()], used: 1, max: 3 },
  },
  {
    name: "the backups of a provider",
    call: (client) => backups.listBackups(client, "s1"),
    sends: "GET /services/s1/backups",
    answer: { backups: [{ id: 9, size: "1 GB" }] },
    gives: { of: "provider", backups: [{ id: "9", size: "1 GB" }] },
  },
  {
    name: "the backups of a dedicated server, which has none",
    call: (client) => backups.listBackups(client, "s1"),
    sends: "GET /services/s1/backups",
    answer: [],
    gives: { of: "provider", backups: [] },
  },
  {
    name: "a new snapshot",
    call: (client) => backups.createBackup(client, "s1", { name: "before", description: "why" }),
    sends: "POST /services/s1/backups",
    body: { name: "before", description: "why" },
    status: 202,
  },
  {
    name: "a new backup without a name",
    call: (client) => backups.createBackup(client, "s1"),
    sends: "POST /services/s1/backups",
  },
  {
    name: "restoring a snapshot",
    call: (client) => backups.restoreBackup(client, "s1", "b1", "before"),
    sends: "POST /services/s1/backups/b1/restore",
    body: { confirm: "before" },
  },
  {
    name: "restoring a provider's backup",
    call: (client) => backups.restoreBackup(client, "s1", "9"),
    sends: "POST /services/s1/backups/9/restore",
  },
  {
    name: "deleting a backup",
    call: (client) => backups.deleteBackup(client, "s1", "b1"),
    sends: "DELETE /services/s1/backups/b1",
  },
  {
    name: "rescue, with its one-time password by whichever name",
    call: (client) => startRescue(client, "s1"),
    sends: "POST /services/s1/rescue",
    answer: { rescue: { user: "root", rescuePassword: "rescue-1" } },
    gives: { secrets: [{ name: "rescue.rescuePassword", value: "rescue-1" }], rest: { rescue: { user: "root" } } },
  },
  {
    name: "the end of rescue",
    call: (client) => endRescue(client, "s1"),
    sends: "POST /services/s1/unrescue",
    answer: true,
    gives: { secrets: [], rest: true },
  },
];
