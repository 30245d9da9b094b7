/** The page of Slack that makes an app, with the whole manifest filled in: its reader chooses the workspace and presses twice. */
export function newAppPage(manifest: unknown, apiUrl: string): string {
  return `${appsPage(apiUrl)}?new_app=1&manifest_json=${encodeURIComponent(JSON.stringify(manifest))}`;
}

/** The page that installs the app, and again after a change of its scopes. An app token names its app; without one it is the list of apps. */
export function installPage({ apiUrl, appToken = "" }: { apiUrl: string; appToken?: string }): string {
  const app = appIdIn(appToken);
  return app === null ? appsPage(apiUrl) : `${appsPage(apiUrl)}/${app}/install-on-team`;
}

/** The id of the app that an app token is of, which lies in the token; null if it has another form. */
export function appIdIn(appToken: string): string | null {
  return /^xapp-\d+-(A[A-Z0-9]+)-/.exec(appToken)?.[1] ?? null;
}

/** The list of apps beside this Web API. GovSlack has its own; a local Slack has none. */
function appsPage(apiUrl: string): string {
  const { hostname } = new URL(apiUrl);
  return `https://api.${hostname.endsWith("slack-gov.com") ? "slack-gov.com" : "slack.com"}/apps`;
}
