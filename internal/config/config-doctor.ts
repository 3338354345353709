// Search for problems in all configuration files. For a file with invalid syntax, only the errors of
// syntax are returned. Otherwise all problems of keys and values are returned, or without these the
// first invalid rule.
import { statSync } from 'node:fs'
import { messageOf } from '../base/errors.ts'
import { checkConfig } from './check-config.ts'
import { type ConfigScope, findMisnamed, listCandidates, readCandidate } from './load.ts'
import { checkConfigRules } from './rule-problems.ts'

export interface ConfigFinding {
  path: string
  severity: 'error' | 'warning'
  text: string
}

export async function diagnoseConfig(
  where: Pick<ConfigScope, 'env' | 'workspace'>,
): Promise<ConfigFinding[]> {
  const findings: ConfigFinding[] = []
  for (const candidate of listCandidates(where)) {
    const add = (severity: ConfigFinding['severity'], text: string) =>
      findings.push({ path: candidate.path, severity, text })
    try {
      const misnamed = findMisnamed(candidate)
      if (misnamed !== undefined) add('warning', misnamed)
      const text = readCandidate(candidate)
      if (text === undefined) continue
      const checked = checkConfig(text, where.env)
      if ('problems' in checked) for (const problem of checked.problems) add('error', problem)
      else await judgeRules(checked.config.permissions ?? [], (problem) => add('error', problem))
      if (hasLiteralSecret(text) && (statSync(candidate.path).mode & 0o077) !== 0) {
        add('warning', 'holds a secret and other users can read it; write {env:NAME} or chmod 600')
      }
    } catch (error) {
      add('error', messageOf(error))
    }
  }
  return findings
}

async function judgeRules(rules: readonly unknown[], add: (problem: string) => void): Promise<void> {
  if (rules.length === 0) return
  try {
    await checkConfigRules(rules as Parameters<typeof checkConfigRules>[0])
  } catch (error) {
    add(messageOf(error))
  }
}

function hasLiteralSecret(text: string): boolean {
  return /"[^"]*(key|token|secret|password)[^"]*"\s*:\s*"(?!\{env:)[^"]{8,}"/i.test(text)
}
