"""Zip files as Python's zipfile writes them, of every form that is read: python3 witness.py > archives.json"""
import base64, io, json, struct, zipfile

FILES = {'top.txt': b'above', 'deep/er/\u00fc.bin': bytes(range(256)) * 3, 'deep/empty': b''}


def archive(method, force_zip64=False, comment=b'', stream=False):
    buffer = io.BytesIO()
    target = Unseekable(buffer) if stream else buffer
    with zipfile.ZipFile(target, 'w', method, allowZip64=True) as out:
        out.writestr(zipfile.ZipInfo('deep/'), b'')
        for name, data in FILES.items():
            info = zipfile.ZipInfo(name)
            info.compress_type = method
            with out.open(info, 'w', force_zip64=force_zip64) as entry:
                entry.write(data)
        out.comment = comment
    return buffer.getvalue()


class Unseekable(io.RawIOBase):
    """What is written without going back has sizes behind the data."""

    def __init__(self, buffer):
        self.buffer = buffer

    def writable(self):
        return True

    def seekable(self):
        return False

    def write(self, data):
        return self.buffer.write(data)


def all_far(data):
    """The same archive with a zip64 end, and every size and place of its directory in 64 bits."""
    end = data.rindex(b'PK\x05\x06')
    count, size, at = struct.unpack('<HII', data[end + 10:end + 20])
    directory, place = b'', at
    for _ in range(count):
        fields = list(struct.unpack('<4s6H3I5H2I', data[place:place + 46]))
        name, extra, comment = fields[10:13]
        rest = data[place + 46:place + 46 + name]
        assert extra == 0 and comment == 0
        far = struct.pack('<HHQQQ', 1, 24, fields[9], fields[8], fields[16])
        fields[8] = fields[9] = fields[16] = 0xFFFFFFFF
        fields[11] = len(far)
        directory += struct.pack('<4s6H3I5H2I', *fields) + rest + far
        place += 46 + name
    far_end = struct.pack('<4sQ2H2I4Q', b'PK\x06\x06', 44, 45, 45, 0, 0, count, count, len(directory), at)
    locator = struct.pack('<4sIQI', b'PK\x06\x07', 0, at + len(directory), 1)
    near = struct.pack('<4s4H2IH', b'PK\x05\x06', 0, 0, 0xFFFF, 0xFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0)
    return data[:at] + directory + far_end + locator + near


FORMS = {
    'stored': archive(zipfile.ZIP_STORED),
    'deflated': archive(zipfile.ZIP_DEFLATED),
    'with a comment': archive(zipfile.ZIP_DEFLATED, comment=b'of which PK may be a part'),
    'written as a stream': archive(zipfile.ZIP_DEFLATED, stream=True),
    'with local headers of zip64': archive(zipfile.ZIP_DEFLATED, force_zip64=True),
    'with all numbers in 64 bits': all_far(archive(zipfile.ZIP_DEFLATED)),
}

for name, data in FORMS.items():
    with zipfile.ZipFile(io.BytesIO(data)) as read:
        assert read.testzip() is None, name
        assert {n: read.read(n) for n in FILES} == FILES, name

encoded = lambda data: base64.b64encode(data).decode()
print(json.dumps({'files': {name: encoded(data) for name, data in FILES.items()},
                  'forms': {name: encoded(data) for name, data in FORMS.items()}}, indent=2, ensure_ascii=False))
