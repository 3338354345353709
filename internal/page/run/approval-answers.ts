// Buttons that answer a call that waits for approval, with a description of what each answer allows.
import { h } from 'preact'
import { useRef, useState } from 'preact/hooks'
import type { PermissionAnswer } from '../../session/commands.ts'
import { listOfferChoices, readOffers } from '../../session/permission-offers.ts'
import type { PendingPermission } from '../../session/snapshot.ts'

interface AnswerProps {
  asked: PendingPermission
  /** True once the end of the call's text was visible. Until then, the call cannot be allowed. */
  isSeen: boolean
  answer(reply: PermissionAnswer): Promise<unknown>
  /** Switches the session to mode `edits`, so that later edits need no approval, then allows the call. */
  allowEdits(): Promise<unknown>
}

export function ApprovalAnswers({ asked: permission, isSeen, answer, allowEdits }: AnswerProps) {
  const [isBusy, setBusy] = useState(false)
  const [denied, setDenied] = useState<readonly number[]>([])
  const [choiceIndex, setKept] = useState(0)
  const choices = listOfferChoices(readOffers(permission).length)
  const wait = async (work: () => Promise<unknown>) => {
    setBusy(true)
    await work()
    setBusy(false)
  }
  const give = (reply: PermissionAnswer) => wait(() => answer(reply))
  const deny = (more: { words?: string; stop?: boolean } = {}) =>
    void give({ allow: false, parts: denied.length > 0 ? [...denied] : undefined, ...more })
  const canAllow = isSeen && !isBusy && denied.length === 0
  const button = (label: string, key: string, onClick: () => void, look?: string) => {
    const keys = { 'data-key': key, 'aria-keyshortcuts': key }
    return h('button', { type: 'button', class: look, disabled: !canAllow, onClick, ...keys }, label)
  }
  const allow = (label: string, key: string, scope: 'once' | 'session' | 'workspace') => {
    const rules = scope === 'once' ? [] : (choices[choiceIndex] ?? [])
    const look = scope === 'once' ? 'primary' : undefined
    return button(label, key, () => void give({ allow: true, scope, rules }), look)
  }
  const refuse = (label: string, key: string, press: () => void) => {
    const keys = { 'data-key': key, 'aria-keyshortcuts': key }
    return h('button', { type: 'button', class: 'danger', disabled: isBusy, onClick: press, ...keys }, label)
  }
  return [
    (permission.parts?.length ?? 0) > 1 && h(PartChoice, { asked: permission, denied, setDenied }),
    choices.length > 1 && h(RuleChoice, { choices, setKept }),
    h(
      'div',
      { class: 'answers' },
      allow('Allow once', 'y', 'once'),
      choices.length > 0 && [
        allow('Allow in this session', 's', 'session'),
        allow('Always allow here', 'a', 'workspace'),
      ],
      permission.edits === true &&
        button('Allow all edits in this session', 'e', () => void wait(allowEdits)),
      h(
        'span',
        { class: 'answers denials' },
        refuse('Deny', 'n', () => deny()),
        refuse('Deny and stop', 'D', () => deny({ stop: true })),
      ),
    ),
    h(DenialWords, { isBusy, deny: (words) => deny(words === '' ? {} : { words }) }),
  ]
}

interface PartProps {
  asked: PendingPermission
  denied: readonly number[]
  setDenied(denied: readonly number[]): void
}

/**
 * Shows a box for each part of a compound command. The user checks the parts because of which the call is
 * denied. While a box is checked, the call can only be denied.
 */
function PartChoice({ asked: permission, denied, setDenied }: PartProps) {
  const toggle = (at: number) =>
    setDenied(
      denied.includes(at) ? denied.filter((one) => one !== at) : [...denied, at].sort((a, b) => a - b),
    )
  return h(
    'fieldset',
    null,
    h('legend', null, 'Deny because of'),
    permission.parts?.map((_, at) =>
      h(
        'label',
        { class: 'part' },
        h('input', { type: 'checkbox', onChange: () => toggle(at) }),
        ` part ${at + 1}`,
      ),
    ),
  )
}

function RuleChoice({ choices, setKept }: { choices: number[][]; setKept(kept: number): void }) {
  const choose = (event: Event) => setKept(Number((event.target as HTMLSelectElement).value))
  const options = choices.map((indices, at) => {
    const label = at === 0 ? 'all rules' : `rule ${indices.map((one) => one + 1).join(', ')} only`
    return h('option', { value: at }, label)
  })
  return h('label', null, 'Keep ', h('select', { onChange: choose }, options))
}

function DenialWords({ isBusy, deny }: { isBusy: boolean; deny(words: string): void }) {
  const field = useRef<HTMLInputElement>(null)
  const send = (event: Event) => {
    event.preventDefault()
    deny(field.current?.value.trim() ?? '')
  }
  return h(
    'form',
    { class: 'tools denial', onSubmit: send },
    h('label', { class: 'grow' }, 'Deny and say why ', h('input', { ref: field, name: 'words' })),
    h('button', { type: 'submit', class: 'danger secondary', disabled: isBusy }, 'Deny with these words'),
  )
}
