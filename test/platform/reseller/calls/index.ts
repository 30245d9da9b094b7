import type { ResellerCall } from "../call.ts";
import { accountCalls } from "./account.ts";
import { catalogueCalls } from "./catalogue.ts";
import { gameCalls } from "./game.ts";
import { machineCalls } from "./machine.ts";
import { orderCalls } from "./orders.ts";
import { panelCalls } from "./panels.ts";
import { serviceCalls } from "./services.ts";

export const resellerCalls: ResellerCall[] = [
  ...[...catalogueCalls, ...orderCalls, ...serviceCalls, ...panelCalls],
  ...[...machineCalls, ...accountCalls, ...gameCalls],
];
