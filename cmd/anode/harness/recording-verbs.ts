// The commands that record a command and replay it. Both load what runs a command, so they load together.
import { record } from './record.ts'
import { replay } from './replay.ts'

export const recordingVerbs = { record, replay }
