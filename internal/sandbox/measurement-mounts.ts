// The directories and files of a measured command's sandbox. Pure.
import { join } from 'node:path'
import type { MeasuredPlaces } from '../process/process-command.ts'
import { each, isBelow, type MachinePlaces, outermost, planSystem, type WallMount } from './wall-mounts.ts'

/** The mounts of a measured command: its checkout, and of homes only tool chains and what is shown. */
export function planMeasurement(
  { temporary, checkout, locked, shown, hidden }: MeasuredPlaces,
  machine: MachinePlaces,
  isFolder: (path: string) => boolean,
  sockets: readonly string[] = [],
): WallMount[] {
  const closed = planSystem(machine, () => false)
  const covered = [
    ...[...machine.runtime, ...machine.temporary, ...machine.homes, ...machine.own],
    ...machine.closed,
  ]
  const isSeen = (path: string) =>
    !covered.some((dir) => isBelow(path, dir)) ||
    [...machine.tools, ...machine.open, ...shown].some((dir) => isBelow(path, dir))
  const unseen = hidden.filter(isSeen)
  const emptied = [...machine.runtime, ...outermost([...machine.homes, ...machine.own])]
  return [
    ...closed,
    ...each('empty', machine.runtime),
    ...machine.temporary.map((path): WallMount => ({ kind: 'private', path, source: temporary })),
    ...each('empty', emptied.slice(machine.runtime.length)),
    ...each('read', machine.tools),
    ...each('read', shown),
    ...each('mask', [...machine.toolSecrets, ...sockets.filter(isSeen)]),
    ...each('empty', unseen.filter(isFolder)),
    ...each(
      'mask',
      unseen.filter((path) => !isFolder(path)),
    ),
    { kind: 'private', path: checkout.path, source: checkout.source },
    ...locked.map((name): WallMount => {
      return { kind: 'fixed', path: join(checkout.path, name), source: join(checkout.source, name) }
    }),
    ...each('seal', [...machine.closed, ...emptied, ...unseen.filter(isFolder)]),
  ]
}
