// The tools that measure experiments. They are loaded together.
import type { Tool } from '../../tool/tool.ts'
import { initExperiment } from './init_experiment.ts'
import { logExperiment } from './log_experiment.ts'
import { runExperiment } from './run_experiment.ts'

export const experimentTools: Readonly<Record<string, Tool>> = {
  init_experiment: initExperiment,
  log_experiment: logExperiment,
  run_experiment: runExperiment,
} as unknown as Readonly<Record<string, Tool>>
