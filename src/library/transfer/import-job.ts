/** The kind of the job that imports a file; its key is the file's. */
export const IMPORT_JOB = "import";
