// The names of the commands of `anode study`. Any other first word begins a question.

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
