set -u
tmp=$(mktemp -d) || exit 70
trap 'rm -rf "$tmp"' EXIT
trap 'exit 130' INT TERM
# Part of every name that is made up, so that no earlier run's users are there already.
run=$(od -An -N4 -tx4 /dev/urandom | tr -d ' \n')
again=0
chosen=" $* "

cat > "$tmp/answer.py" <<'PYTHON'
import base64, datetime, hashlib, hmac, json, os, re, struct, sys, time

CAPITALS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
here = os.path.dirname(os.path.abspath(__file__))
command, arguments = sys.argv[1], sys.argv[2:]


def read(name):
    with open(os.path.join(here, name), "rb") as file:
        return file.read()


def body():
    return json.loads(read("body"))


def at(pointer):
    value = body()
    for part in pointer.split("/")[1:]:
        part = part.replace("~1", "/").replace("~0", "~")
        value = value[int(part)] if isinstance(value, list) else value[part]
    return value


def headers():
    # An interim answer has a head of its own, before the last.
    head = read("head").replace(b"\r", b"").strip(b"\n").split(b"\n\n")[-1].decode("utf-8", "replace")
    lines = (line.split(":", 1) for line in head.split("\n")[1:] if ":" in line)
    return [(name.strip().lower(), value.strip()) for name, value in lines]


def header(name):
    return [value for found, value in headers() if found == name.lower()]


def header_names():
    of_transport = ["connection", "content-length", "date", "keep-alive", "transfer-encoding"]
    return " ".join(sorted({name for name, _ in headers()} - set(of_transport)))


def shape(text, known):
    # What it says, but for ids, tokens and times, which differ from run to run; known values are told by their names.
    def word(match):
        found = match.group(0)
        before = text[max(0, match.start() - 6):match.start()].rstrip('"')
        is_id = before.endswith('"id":') or text[:match.start()].endswith('"id":"')
        digits = sum(c in "0123456789" for c in found)
        if (is_id or len(found) >= 6) and found in known:
            return "<%s>" % known[found]
        if found.startswith("eyJ") and found.count(".") >= 1:
            try:
                segment = found.split(".")[1].replace("-", "+").replace("_", "/")
                return "<%s>" % shape(base64.b64decode(segment + "=" * (-len(segment) % 4), validate=True).decode(), {})
            except ValueError:
                pass
        if not digits or not is_id and (digits == len(found) <= 5 or re.fullmatch("[A-Z]+[0-9]{0,3}", found)):
            return found
        if len(found) < 10:
            return "#"
        is_hex = all(c in "0123456789abcdef" for c in found)
        return "#%d%s" % (len(found), "x" if is_hex else "" if any(c in CAPITALS for c in found) else "s")
    return re.sub(r"(?:[\w.@-]|(?<=[0-9]):(?=[0-9]))+", word, text)


def digest(text):
    return hashlib.sha256(text.encode()).hexdigest()


def say(value):
    sys.stdout.write(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))


try:
    if command == "field":
        say(at(arguments[0]))
    elif command == "header":
        found = header(arguments[0])
        if not found:
            sys.exit(1)
        say(", ".join(found))
    elif command == "is":
        wanted = json.loads(arguments[1])
        sys.exit(0 if at(arguments[0]) == wanted else 1)
    elif command == "keys":
        found = at(arguments[0])
        wanted = arguments[1].split(", ")
        sys.exit(0 if isinstance(found, dict) and sorted(found) == sorted(wanted) else 1)
    elif command == "shape":
        pairs = [argument.split("=", 1) for argument in arguments]
        known = {value: name for name, value in reversed(pairs)}
        say(digest(shape(read("body").decode("utf-8", "replace") or header_names(), known)))
    elif command == "like":
        say(digest(shape(arguments[0], {})))
    elif command == "digest":
        text = read("body").decode("utf-8")
        if arguments[0]:
            start = text.index('"%s":' % arguments[0]) + len(arguments[0]) + 3
            text = text[start:json.JSONDecoder().raw_decode(text[start:])[1] + start]
        say(hashlib.md5(text.encode()).hexdigest())
    elif command == "now":
        text = json.loads(sys.stdin.read())["now"].replace("Z", "+00:00")
        say(str(int(datetime.datetime.fromisoformat(text).timestamp() * 1000)))
    elif command == "here":
        say(str(int(time.time() * 1000)))
    elif command == "until":
        phase, now = int(arguments[0]), int(arguments[1])
        say(str((phase - now) % 30000 / 1000))
    elif command == "code":
        step = int(arguments[2]) // 30000 + int(arguments[1])
        digest = hmac.new(bytes.fromhex(arguments[0]), struct.pack(">q", step), hashlib.sha1).digest()
        at_byte = digest[-1] & 15
        word = struct.unpack(">I", digest[at_byte:at_byte + 4])[0] & 0x7FFFFFFF
        say("%06d" % (word % 1000000))
    elif command == "moment":
        now, ahead, unit = int(arguments[1]), int(arguments[0]), int(arguments[2])
        say(str((now + ahead) // unit))
    elif command == "base64":
        text = arguments[0].encode()
        say(base64.b64encode(text + b" " * (-len(text) % 3)).decode())
except (KeyError, IndexError, ValueError, TypeError) as error:
    sys.exit(1)
PYTHON

# The program itself: what is called python3 may be a script that looks for it each time.
python=$(python3 -c 'import sys; print(sys.executable)') || exit 70
answer() { "$python" "$tmp/answer.py" "$@"; }

# send CAPTION CURL-OPTION...: leaves $status, and the answer for the functions below
send() {
  caption=$1
  shift
  : > "$tmp/body"
  : > "$tmp/head"
  status=$(curl -sS -g --path-as-is --max-time 30 -o "$tmp/body" -D "$tmp/head" -w '%{http_code}' \
    -H 'User-Agent:' -H 'Accept:' -H 'Expect:' "$@" 2> "$tmp/why") || status="no answer, $(cat "$tmp/why")"
  case $status in "no answer"*) statuses="$statuses none" ;; *) statuses="$statuses $status" ;; esac
  case $caption in "HEAD "*) : > "$tmp/body" ;; esac
  printf '    %s: %s\n' "$caption" "$status"
}

# The books that the script made are deleted, and nothing else.
own() { [ "$status" = 201 ] && owned="$owned $(answer field /id)"; }
delete_owned() {
  for id in $owned; do
    curl -sS -o "$tmp/body" -X DELETE -H "X-API-Key: $admin_key" "$catalogue/libros/$id"
  done
}

hook() {
  [ -n "$control" ] || { echo "    this needs the control hook: control=URL" && exit 3; }
  curl -sS -f -X POST -H 'Content-Type: application/json' -d "$2" "$control$1" > "$tmp/hook" || exit 3
}
advance() { hook /clock/advance "{\"seconds\":$1}" && printf '    (clock moved %s s ahead)\n' "$1"; }
reset() { hook /reset '{}' && echo '    (POST /reset: the initial state again)'; }
now() { if [ -n "$control" ]; then curl -sS "$control/clock" | answer now; else answer here; fi; }
code() { answer code "$1" "$2" "$(now)"; }
moment() { answer moment "$1" "$(now)" "$2"; }
# Brings the target's clock to the same place within the 30 seconds of a code as it had then.
phase() { [ -z "$control" ] || advance "$(answer until "$1" "$(now)")"; }

as_wanted() { echo "    as it should be: $1"; }
shows_again() { echo "    SHOWS AGAIN: $1" && again=1; }
compare() {
  if [ "$2" = "$3" ]; then as_wanted "$1 is $2"; else shows_again "$1 is $3, want $2"; fi
}
want_status() { compare status "$1" "$status"; }
want_header() { compare "header $1" "$2" "$(answer header "$1" || echo absent)"; }
want_no_header() { compare "header $1" absent "$(answer header "$1" || echo absent)"; }
want_digest() { compare 'header ETag, without quotes' "$(answer digest "$1")" "$(answer header ETag | tr -d '"')"; }
want_at() {
  if answer is "$1" "$2"; then as_wanted "$1 is $2"; else shows_again "$1 is $(answer field "$1" || echo absent), want $2"; fi
}
want_nothing_at() {
  if got=$(answer field "$1"); then shows_again "$1 is $got, want nothing there"; else as_wanted "nothing at $1"; fi
}
want_keys() {
  if answer keys "$1" "$2"; then as_wanted "${1:-the body} has the keys $2"; else shows_again "${1:-the body} has not exactly the keys $2"; fi
}
want_an_answer() {
  case $status in "no answer"*) shows_again "$status" ;; *) as_wanted "an answer: $status" ;; esac
}
# What a program cannot compare is wrong still where it is what came then.
not_header() {
  got=$(answer header "$1" || echo absent)
  if [ "$got" = "$2" ]; then shows_again "header $1 is $got, as then"; else as_wanted "header $1 is another than then: $got"; fi
}
not_header_like() {
  got=$(answer header "$1" || echo absent)
  if [ "$(answer like "$got")" = "$2" ]; then shows_again "header $1 is like then: $got"; else as_wanted "header $1 is another than then: $got"; fi
}
not_at_like() {
  got=$(answer field "$1" || echo absent)
  if [ "$(answer like "$got")" = "$2" ]; then shows_again "$1 is like then: $got"; else as_wanted "$1 is another than then: $got"; fi
}
not_as_then() {
  statuses_then=$1
  shape_then=$2
  shift 2
  if [ "$statuses" = " $statuses_then" ] && [ "$(answer shape "$@")" = "$shape_then" ]; then
    shows_again "the answer is as it was then, but for ids and times: $(head -c 600 "$tmp/body")"
  else
    as_wanted "the answers are others than then: $status $(head -c 600 "$tmp/body")"
  fi
}

# judge CASE FUNCTION: all cases, or those named on the command line
judge() {
  case $chosen in "  " | *" $1 "*) ;; *) return ;; esac
  echo "$1"
  owned=
  statuses=
  "$2"
  delete_owned
}
