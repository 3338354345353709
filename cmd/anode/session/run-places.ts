// The processes of runs for sessions.
import { createRunPlaces } from '../../../internal/service/runs/run-locations.ts'
import type { RunPlaces } from '../../../internal/service/session/handover/hand-over.ts'
import { runPlace } from '../runs/run-place.ts'
import type { CommandIo } from '../verb.ts'

/** Returns the access to processes of runs in the user's data directory. */
export const openRunPlaces = (io: CommandIo): RunPlaces => createRunPlaces(runPlace(io))
