// The machine as far as measurements depend on it.
import { cpus } from 'node:os'
import type { Host } from './line.ts'

export function hostHere(): Host {
  const all = cpus()
  return { cpus: all.length, model: all[0]?.model.trim() || 'unknown', node: process.versions.node }
}

/** What differs, in words; empty when measurements can be compared. */
export function changes(from: Host, to: Host): string[] {
  return (['model', 'cpus', 'node'] as const)
    .filter((key) => from[key] !== to[key])
    .map((key) => `${key} ${from[key]} -> ${to[key]}`)
}
