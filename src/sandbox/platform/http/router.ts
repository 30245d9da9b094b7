export interface Match<Route> {
  route: Route;
  params: Record<string, string>;
}

/** Finds the route of a request among those of one API; the first that fits wins. */
export function createRouter<Route extends { method: string; path: string }>(
  routes: Route[],
): (method: string, path: string) => Match<Route> | undefined {
  const compiled = routes.map((route) => ({ route, pattern: pathPattern(route.path) }));
  return (method, path) => {
    for (const { route, pattern } of compiled) {
      if (route.method !== method) continue;
      const match = pattern.exec(path);
      if (match !== null) return { route, params: { ...match.groups } };
    }
    return undefined;
  };
}

/** `/vps/{id}/start` as an expression that catches its parts by name. */
export function pathPattern(path: string): RegExp {
  const escaped = path.replace(/[.*+?^$()|[\]\\]/g, "\\$&");
  return new RegExp(`^${escaped.replace(/\{(\w+)\}/g, "(?<$1>[^/]+)")}$`);
}

/** A part of the path, by its name in the path of its route. */
export function param({ params }: { params: Record<string, string> }, name: string): string {
  const value = params[name];
  if (value === undefined) throw new Error(`The route has no parameter ${name}`);
  return value;
}
