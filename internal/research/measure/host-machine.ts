// The machine as far as measurements depend on it.
import { cpus } from 'node:os'
import type { HostMachine } from '../ledger/ledger-entry.ts'

export function currentHost(): HostMachine {
  const all = cpus()
  return { cpus: all.length, model: all[0]?.model.trim() || 'unknown', node: process.versions.node }
}

/** What differs, in words; empty when measurements can be compared. */
export function hostChanges(from: HostMachine, to: HostMachine): string[] {
  return (['model', 'cpus', 'node'] as const)
    .filter((key) => from[key] !== to[key])
    .map((key) => `${key} ${from[key]} -> ${to[key]}`)
}
