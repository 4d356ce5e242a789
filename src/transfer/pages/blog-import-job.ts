/** The kind of the job that imports a blog; its key is that of the uploaded file. */
export const BLOG_IMPORT_JOB = "blog-import";
