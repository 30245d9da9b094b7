// A mutant is active within tests alone: the second file of its run must not be imported with it. An error there belongs to no test, and
// Stryker would count the mutant neither as killed nor as a survivor.
Object.assign(Reflect.get(globalThis, "__stryker__") ?? {}, { activeMutant: undefined });
