import { z } from "zod";

/** A whole number as a form or a path sends it, such as an id or a version. */
export const FormNumber = z
  .string()
  .regex(/^\d{1,15}$/)
  .transform(Number);
