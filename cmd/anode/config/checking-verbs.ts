// The commands that check the configuration, two of which change it. They load together, because they need
// the models and the tools, which the other commands of the group do not.
import { doctor } from './doctor.ts'
import { set } from './set.ts'
import { unset } from './unset.ts'

export const checkingVerbs = { set, unset, doctor }
