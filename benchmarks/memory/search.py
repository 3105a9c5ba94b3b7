def occurrences(text, pattern):
    count = 0
    i = 0
    while text[i]:
        j = 0
        while pattern[j] and text[i + j] == pattern[j]:
            j += 1
        if not pattern[j]:
            count += 1
        i += 1
    return count


def work(n):
    text = bytearray(n + 1)
    seed = 42
    for i in range(n):
        seed = seed * 1664525 + 1013904223 & 0xFFFFFFFF
        text[i] = 97 + (seed >> 24) % 2
    return occurrences(text, b"abbab\0")
