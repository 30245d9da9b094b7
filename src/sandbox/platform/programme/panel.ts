import type { Backup } from "../world/plugins.ts";

/** A link to a console (spec 2.7 and 3.4); times in milliseconds since the epoch. */
export interface Cast {
  id: string;
  ticket: string;
  label: string | null;
  viewOnly: boolean;
  openExpiresAt: number;
  viewerTtlSeconds: number;
  /** null until it is opened. */
  viewerExpiresAt: number | null;
  revoked: boolean;
}

export interface ServerKey {
  id: string;
  name: string;
  public_key: string;
}

/** The settings of a service in the programme alone. */
export interface Panel {
  casts: Cast[];
  sshKeys: ServerKey[];
  /** Host names by address. */
  rdns: Map<string, string>;
  rescue: boolean;
  transit: { customerAsn: number | null; irrAsSet: string | null; announcedPrefixes: string[]; routeType: string };
  /** Of an upstream supplier, newest first. */
  backups: Backup[];
}

export function panelOf(partner: { panels: Map<string, Panel> }, serviceId: string): Panel {
  const known = partner.panels.get(serviceId);
  if (known !== undefined) return known;
  const fresh: Panel = {
    casts: [],
    sshKeys: [],
    rdns: new Map(),
    rescue: false,
    transit: { customerAsn: 64_500, irrAsSet: null, announcedPrefixes: ["192.0.2.0/24"], routeType: "full" },
    backups: [],
  };
  partner.panels.set(serviceId, fresh);
  return fresh;
}
