// Short forms of model names.

/**
 * Returns the name of a model. A model that is a file keeps its prefix (`script:`) and the file name without
 * directories; any other name is unchanged.
 */
export const shortModel = (model: string) => model.replace(/^(\w+:).*\//, '$1')
