// Properties of the machine that measurements depend on.
import { cpus } from 'node:os'
import type { HostMachine } from '../ledger/ledger-entry.ts'

export function currentHost(): HostMachine {
  const all = cpus()
  return { cpus: all.length, model: all[0]?.model.trim() || 'unknown', node: process.versions.node }
}

/** Returns the differences as texts such as `cpus 4 -> 8`; empty if measurements can be compared. */
export function hostChanges(from: HostMachine, to: HostMachine): string[] {
  return (['model', 'cpus', 'node'] as const)
    .filter((key) => from[key] !== to[key])
    .map((key) => `${key} ${from[key]} -> ${to[key]}`)
}
