"""A reply that says that something was done, in a turn in which nothing was, is caught; plain answers pass."""

from __future__ import annotations

import pytest

from wellread.assistant.claims import unfounded

CLAIMS = """
I have saved the note for you.
Your mail to Ann was sent a minute ago.
The reminder is scheduled for nine o'clock tomorrow.
All set! I added the meeting to your calendar.
I've just deleted the old file.
The table has been booked for two people.
Done.
OK, I'll keep that in mind and it is stored now.
I went ahead and emailed the report to your team.
Your task has been created and the deadline updated.
Ich habe die Notiz für dich gespeichert.
Die Mail an Anna wurde verschickt.
Der Termin ist eingetragen und die Erinnerung angelegt.
Erledigt.
J'ai enregistré la note pour vous.
Le message a été envoyé à Anne.
Le rappel est programmé pour demain.
He guardado la nota en el archivo.
El correo ya está enviado a Ana.
La reunión está programada para mañana.
Guardei a nota para você no arquivo.
O e-mail foi enviado para a Ana.
Ho salvato la nota per te.
Il messaggio è stato inviato ad Anna.
La riunione è programmata per domani.
Ik heb de notitie voor je opgeslagen.
De mail is verzonden naar Anna.
Jag har sparat anteckningen för dig.
Mejlet har skickats till Anna och det är klart.
Jeg har gemt noten til dig og sendt den.
Notatka została zapisana w pliku.
Wiadomość do Anny została wysłana i to jest gotowe.
Poznámka je uložena a e-mail je odeslán.
Я сохранил заметку для вас.
Письмо было отправлено, и я добавил его в список.
Я зберегла нотатку для вас.
Notunu senin için kaydettim.
E-posta gönderildi ve toplantı planlandı.
Αποθήκευσα τη σημείωση για εσάς.
Το μήνυμα στάλθηκε στην Άννα.
Catatan Anda sudah saya simpan dan tersimpan di berkas.
Tallensin muistiinpanon ja lähetin viestin.
Elmentettem a jegyzetet és az e-mail el van küldve.
Am salvat notița pentru tine și este gata.
Tôi đã lưu ghi chú cho bạn và đã gửi thư.
我已经保存了笔记。
邮件已发送给安娜。
メモを保存しました。
メールは送信済みです。
메모를 저장했습니다.
메일을 보냈습니다.
मैंने नोट सहेज लिया है।
ईमेल भेज दिया गया है।
لقد حفظت الملاحظة لك.
تم إرسال الرسالة إلى آنا.
שמרתי את ההערה בשבילך.
ההודעה נשלחה לאנה.
Nimehifadhi dokezo lako.
Ohar hau gorde dut eta mezua bidali dut.
Tá an nóta sábháilte agam duit.
Esu išsaugojau jūsų pastabą.
Es saglabāju jūsu piezīmi.
Shënimi u ruajt për ty.
บันทึกโน้ตให้แล้ว
შენიშვნა შენახულია.
Գրառումը պահպանված է։
✅
""".strip().splitlines()

ANSWERS = """
Low water at the harbour is at half past nine in the morning.
The tide is the rise and fall of the sea, and it comes twice a day.
I do not know when the museum is open, for the page is not there.
What is the name of the file that you want me to read?
Das Wasser ist am Morgen niedrig, und es kommt am Abend wieder.
La marée est basse le matin, et elle est haute dans la soirée.
La marea es baja por la mañana y alta en la tarde.
Вода в море поднимается и опускается два раза в день, и это прилив.
潮の満ち引きは月の引力で起こります。
""".strip().splitlines()


@pytest.mark.parametrize("claim", CLAIMS)
def test_a_claim_is_caught(claim: str) -> None:
    assert unfounded(claim)


@pytest.mark.parametrize("answer", ANSWERS)
def test_a_plain_answer_passes(answer: str) -> None:
    assert not unfounded(answer)


def test_what_is_quoted_is_not_claimed() -> None:
    assert not unfounded("The page says this, and it is not for you:\n\n> Your mail was sent.\n\nThat is all of it.")


def test_silence_claims_nothing() -> None:
    assert not unfounded("")
