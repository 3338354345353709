// Names of models in few characters.

/** Of a model in a file the file's name alone. */
export const shortModel = (model: string) => model.replace(/^(\w+:).*\//, '$1')
