/** Descriptions of error codes: https://nodejs.org/api/errors.html#common-system-errors */
const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EDQUOT: 'the disk quota is exceeded',
  EEXIST: 'the file already exists',
  EFBIG: 'the file is too large',
  EIO: 'an input/output error occurred',
  EISDIR: 'it is a folder',
  ELOOP: 'too many symbolic links',
  EMFILE: 'too many open files',
  ENAMETOOLONG: 'the file name is too long',
  ENOENT: 'no such file or folder',
  ENOSPC: 'no space left on device',
  ENOTDIR: 'part of the path is not a folder',
  EPERM: 'operation not permitted',
  EPIPE: 'the reader closed the pipe',
  EROFS: 'the file system is read-only',
  ETXTBSY: 'the file is in use',
};

/** Node's form: `EISDIR: illegal operation on a directory, read`, or with paths, `ENOENT: …, open 'x.npy'`. */
const REPORTED = /\b(E[A-Z]{2,}): [^,;()]+, \w+(?: '[^']*')?(?: -> '[^']*')?/g;

/** Replaces errors of the operating system in a message by plain words. */
export const inWords = (message: string): string =>
  message.replace(REPORTED, (whole, code: string) => REASONS[code] ?? whole).replace(/it is a folder; (?=it is a)/, '');
