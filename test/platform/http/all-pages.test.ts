import { expect, test } from "vitest";
import { listLocations, listProducts } from "../../../src/platform/customer/catalog.ts";
import { listVpsImages } from "../../../src/platform/customer/vps.ts";
import { inOnePage, readAllPages } from "../../../src/platform/http/pages.ts";

import { connect, ok, startServer } from "../server.ts";

/** A list of `pages` pages with two rows each; counts the pages that are read at the same time. */
function listOf(pages: number) {
  const seen = { now: 0, most: 0, read: [] as number[] };
  return {
    seen,
    async read(page: number) {
      seen.now += 1;
      seen.most = Math.max(seen.most, seen.now);
      seen.read.push(page);
      await new Promise((resolve) => setTimeout(resolve, page % 3));
      seen.now -= 1;
      return { rows: [page * 10, page * 10 + 1], pagination: { page, limit: 2, total: pages * 2, pages } };
    },
  };
}

test("a long list is read four pages at a time after the first, each page once, and its rows keep their order", async () => {
  const { seen, read } = listOf(21);
  const arrived: number[] = [];
  const rows = (await readAllPages({ api: "customer" }, read, (page) => void arrived.push(...page))).flat();
  expect(rows).toEqual(rows.toSorted((one, other) => one - other));
  expect(rows).toHaveLength(42);
  expect(arrived.toSorted((one, other) => one - other)).toEqual(rows);
  expect(seen.read.toSorted((one, other) => one - other)).toEqual(Array.from({ length: 21 }, (_, at) => at + 1));
  expect(seen.read[0]).toBe(1);
  expect(seen.most).toBe(4);
});

test("an empty list and a list of one page are one call", async () => {
  for (const pages of [0, 1]) {
    const { seen, read } = listOf(pages);
    await readAllPages({ api: "customer" }, read);
    expect(seen.read).toEqual([1]);
  }
});

test("a list that comes whole is one call, however many rows it has", async () => {
  let calls = 0;
  const kind = inOnePage(async () => {
    calls += 1;
    return Array.from({ length: 5_000 }, (_, at) => at);
  });
  const pages = await readAllPages({ api: "customer" }, (page) => kind.list(null, { page, limit: kind.pageSize }));
  expect(pages.flat()).toHaveLength(5_000);
  expect(calls).toBe(1);
  expect(await kind.list(null, { page: 2, limit: 200 })).toMatchObject({
    rows: { length: 200, 0: 200 },
    pagination: { pages: 25 },
  });
});

test("a page that cannot be read makes the list unreadable", async () => {
  const { read } = listOf(9);
  const broken = readAllPages({ api: "customer" }, (page) =>
    page === 5 ? Promise.reject(new Error("cut")) : read(page),
  );
  await expect(broken).rejects.toThrow("cut");
});

test("a list that counts more pages than any list has is not read to its end", async () => {
  const { seen, read } = listOf(1_000_000_000);
  await expect(readAllPages({ api: "customer" }, read)).rejects.toMatchObject({ name: "PlatformOffContract" });
  expect(seen.read.length).toBeLessThan(10);
});

test("the catalogue, the locations and the images of a VPS are read to their last page, each with its own query", async () => {
  const names = { products: "Small", locations: "Prague", templates: "Debian 13" };
  const { url, seen } = await startServer((response, { url }) => {
    const page = Number(new URL(url, "http://platform").searchParams.get("page") ?? 1);
    const list = url.includes("/os-images") ? "templates" : url.includes("/products") ? "products" : "locations";
    const row = { id: page, value: `v${page}`, name: names[list], shared: false, sold_out: false, is_default: false };
    const rows = [list === "locations" ? row : { ...row, id: `i${page}` }];
    ok({ [list]: rows, pagination: { page, limit: 1, total: 3, pages: 3 } })(response);
  });
  const { client } = connect(url);
  expect(await listProducts(client)).toHaveLength(3);
  expect(await listVpsImages(client, "v1")).toHaveLength(3);
  seen.length = 0;
  expect(await listLocations(client, ["p1", "p2"])).toHaveLength(3);
  expect(seen.map(({ url }) => url.split("?")[1])).toEqual([
    "productId=p1%2Cp2",
    "productId=p1%2Cp2&page=2",
    "productId=p1%2Cp2&page=3",
  ]);
});
