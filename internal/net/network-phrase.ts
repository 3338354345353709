// Descriptions of the system's connection errors.

const phrases: Readonly<Record<string, string>> = {
  ENOTFOUND: 'the name is not known',
  EAI_AGAIN: 'no name server answers',
  ECONNREFUSED: 'nothing listens there',
  ENETUNREACH: 'the network is unreachable',
  EHOSTUNREACH: 'it cannot be reached',
  ECONNRESET: 'the connection broke',
  ETIMEDOUT: 'no connection came about',
  UND_ERR_SOCKET: 'the connection broke',
}

/** Returns the description of an error code; undefined for a code without a description. */
export const phraseNetworkError = (code: string): string | undefined => phrases[code]
