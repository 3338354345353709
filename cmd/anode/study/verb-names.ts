// The verbs of `anode study`: any other first word begins a question.

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
