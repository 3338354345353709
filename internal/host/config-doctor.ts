// What is wrong with the configuration: each file by itself, then what the values in force name and nothing has.
import { suggestion } from '../base/nearest.ts'
import { diagnose, type Finding } from '../config/doctor.ts'
import { unmatchedDisabled } from '../profile/unmatched.ts'
import { nativeEntries } from './registry.ts'
import { profilesOf, type Surroundings, surroundings } from './surroundings.ts'

interface Where {
  cwd: string
  env: Readonly<Record<string, string | undefined>>
}

/** Starts nothing. `names` are the registered tools; absent: the native ones, which is all that can be known without. */
export async function diagnoseSettings({ cwd, env }: Where, names?: readonly string[]): Promise<Finding[]> {
  const findings = await diagnose({ env, workspace: cwd })
  // values of files that cannot be read are not in force
  if (findings.some(({ severity }) => severity === 'error')) return findings
  const around = await surroundings(cwd, env)
  return [...findings, ...(await profileFindings(around)), ...(await disabledFindings(around, names))]
}

async function profileFindings(around: Surroundings): Promise<Finding[]> {
  const { all, aliases, broken, diagnostics } = await profilesOf(around)
  // those of files have a line of their own in `anode doctor`
  const findings = diagnostics
    .filter(({ where }) => where.startsWith('profiles.'))
    .map(({ where, message, severity }): Finding => {
      return { path: fileOf(around, where), severity, text: `${where}: ${message}` }
    })
  const { profile } = around.loaded.config
  const known = [...all.map(({ name }) => name), ...aliases.keys()]
  if (profile !== undefined && !known.includes(profile) && !broken.has(profile)) {
    const text = `profile: there is no profile ${profile}; ${suggestion(profile, known) || 'see `anode profiles list`'}`
    findings.push({ path: fileOf(around, 'profile'), severity: 'error', text })
  }
  return findings
}

async function disabledFindings(around: Surroundings, names?: readonly string[]): Promise<Finding[]> {
  const disabled = around.loaded.config.tools?.disabled ?? []
  if (disabled.length === 0) return []
  const registered = names ?? (await nativeEntries()).map(({ name }) => name)
  const path = fileOf(around, 'tools.disabled')
  return unmatchedDisabled(disabled, registered).map((text): Finding => ({ path, severity: 'warning', text }))
}

/** The file that a value, or the first one below it, came from. */
function fileOf({ loaded }: Surroundings, key: string): string {
  const found = [...loaded.origins].find(([one]) => one === key || one.startsWith(`${key}.`))
  return found?.[1] ?? 'configuration'
}
