// The names of the commands of `anode study`. Another first word begins a question, unless it seems to be
// a mistyped command.

export const studyVerbNames = [
  'list',
  'status',
  'watch',
  'ask',
  'resume',
  'cancel',
  'report',
  'trace',
  'mailbox',
  'verify',
  'eval',
] as const
