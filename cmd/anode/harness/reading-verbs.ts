// The commands that show the steps of recordings. Both load what reads the steps, so they load together.
import { inspect } from './inspect.ts'
import { step } from './step.ts'

export const readingVerbs = { step, inspect }
