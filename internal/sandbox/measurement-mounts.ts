// Mounts of the sandbox for a benchmark command (a measured command). No file is read here.
import { join } from 'node:path'
import type { MeasuredPlaces } from '../process/process-command.ts'
import type { ClosedPlaces } from './closed-places.ts'
import {
  isBelow,
  keepOutermost,
  type MachinePlaces,
  mountEach,
  planSystem,
  type SandboxMount,
} from './sandbox-mounts.ts'

/**
 * Returns the mounts for a benchmark command: its checkout and the system. Of home directories, only tool
 * chains and the paths in `shownPaths` are visible.
 */
export function planMeasurement(
  { temporary, checkout, locked, shown: shownPaths, hidden }: MeasuredPlaces,
  machine: MachinePlaces,
  isFolder: (path: string) => boolean,
  sockets: readonly string[] = [],
  closed: Pick<ClosedPlaces, 'files' | 'folders'> = { files: [], folders: [] },
): SandboxMount[] {
  const system = planSystem(machine, () => false)
  const covered = [
    ...[...machine.runtime, ...machine.temporary, ...machine.homes, ...machine.own],
    ...machine.closed,
  ]
  const isSeen = (path: string) =>
    !covered.some((dir) => isBelow(path, dir)) ||
    [...machine.tools, ...machine.open, ...shownPaths].some((dir) => isBelow(path, dir))
  const unseen = hidden.filter(isSeen)
  const emptied = [...machine.runtime, ...keepOutermost([...machine.homes, ...machine.own])]
  return [
    ...system,
    ...mountEach('empty', machine.runtime),
    ...machine.temporary.map((path): SandboxMount => ({ kind: 'private', path, source: temporary })),
    ...mountEach('empty', emptied.slice(machine.runtime.length)),
    ...mountEach('read', machine.tools),
    ...mountEach('read', shownPaths),
    ...mountEach('mask', [...machine.toolSecrets, ...sockets.filter(isSeen)]),
    ...mountEach('empty', unseen.filter(isFolder)),
    ...mountEach(
      'mask',
      unseen.filter((path) => !isFolder(path)),
    ),
    { kind: 'private', path: checkout.path, source: checkout.source },
    ...locked.map((name): SandboxMount => {
      return { kind: 'fixed', path: join(checkout.path, name), source: join(checkout.source, name) }
    }),
    ...mountEach('empty', closed.folders),
    ...mountEach('mask', closed.files),
    ...mountEach('seal', [...machine.closed, ...emptied, ...unseen.filter(isFolder), ...closed.folders]),
  ]
}
